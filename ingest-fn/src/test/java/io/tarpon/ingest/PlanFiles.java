package io.tarpon.ingest;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedSample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads back what planning left in a store.
record PlanFiles(ObjectStore store, DatasetName dataset, VersionId version) {
    private static final int MAX_BYTES = 64 << 20;

    List<PlannedSample> samples(FrozenPlan plan, String split) throws IOException {
        var samples = new ArrayList<PlannedSample>();
        for (var planned : plan.splits()) {
            if (planned.name().value().equals(split)) {
                for (var shard : planned.shards()) {
                    samples.addAll(samples(new ShardRef(dataset, version, planned.name(), shard.name())));
                }
            }
        }
        return samples;
    }

    List<PlannedSample> samples(ShardRef ref) throws IOException {
        var samples = new ArrayList<PlannedSample>();
        var key = ObjectKeys.plan(ref);
        try (var reader = new PlanReader(key, new ByteArrayInputStream(store.read(key, MAX_BYTES)))) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                samples.add(next.get());
            }
        }
        return samples;
    }

    String sha256(ShardRef ref) throws IOException {
        return Digests.sha256Hex(store.read(ObjectKeys.plan(ref), MAX_BYTES));
    }

    List<ReportLine> report() throws IOException {
        var lines = new ArrayList<ReportLine>();
        var text = new String(store.read(ObjectKeys.report(dataset, version), MAX_BYTES), StandardCharsets.UTF_8);
        for (var line : text.lines().toList()) {
            lines.add(Json.read(line.getBytes(StandardCharsets.UTF_8), ReportLine.class));
        }
        return lines;
    }

    List<String> keys() throws IOException {
        var keys = new ArrayList<String>();
        store.list("", object -> keys.add(object.key()));
        return keys;
    }
}
