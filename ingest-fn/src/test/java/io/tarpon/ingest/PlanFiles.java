package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

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
                    var ref = new ShardRef(dataset, version, planned.name(), shard.name());
                    samples.addAll(samples(ObjectKeys.plan(ref, shard.planName())));
                }
            }
        }
        return samples;
    }

    List<PlannedSample> samples(ShardRef ref) throws IOException {
        return samples(key(ref));
    }

    List<PlannedSample> samples(String key) throws IOException {
        var samples = new ArrayList<PlannedSample>();
        try (var reader = new PlanReader(key, new ByteArrayInputStream(store.read(key, MAX_BYTES)))) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                samples.add(next.get());
            }
        }
        return samples;
    }

    /// Of the only plan there is of it.
    String key(ShardRef ref) throws IOException {
        var keys = new ArrayList<String>();
        var stem = ObjectKeys.plan(ref).replaceFirst("plan$", "");
        store.list(stem, object -> keys.add(object.key()));
        assertThat(keys).as("plans of %s", ref).hasSize(1);
        return keys.getFirst();
    }

    String sha256(ShardRef ref) throws IOException {
        return Digests.sha256Hex(store.read(key(ref), MAX_BYTES));
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
