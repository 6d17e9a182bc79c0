package io.tarpon.shard;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.SourceObject;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.event.PlanLink;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlanWriter;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Plans a folder of well-named files as ingest-fn would: samples by key, members by extension.
public final class Folders {
    private Folders() {}

    public static ShardRef ref(int shard) {
        return new ShardRef(
                new DatasetName("demo"), VersionId.parse("v1"), new SplitName("train"), new ShardName(shard));
    }

    public static List<PlannedSample> samples(ObjectSource source) throws IOException {
        var members = new TreeMap<String, List<PlannedMember>>();
        source.list(object -> add(members, object));
        var samples = new ArrayList<PlannedSample>();
        members.forEach((key, list) -> {
            list.sort(Comparator.comparing(PlannedMember::extension));
            samples.add(new PlannedSample(key, list));
        });
        return samples;
    }

    private static void add(Map<String, List<PlannedMember>> members, SourceObject object) {
        int dot = object.key().indexOf('.', object.key().lastIndexOf('/') + 1);
        var member =
                new PlannedMember(object.key().substring(dot + 1), object.sizeBytes(), object.key(), object.etag());
        members.computeIfAbsent(object.key().substring(0, dot), k -> new ArrayList<>())
                .add(member);
    }

    /// Writes the plan of a shard into the store and returns the message that ingest-fn would send.
    public static ShardPlanned plan(ObjectStore store, ShardRef ref, String source, List<PlannedSample> samples)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        long members = samples.stream().mapToLong(s -> s.members().size()).sum();
        long tar = samples.stream().mapToLong(PlannedSample::tarBytes).sum() + Ustar.END_BYTES;
        var header = new PlanHeader(source, ref.split(), ref.shard(), samples.size(), members, tar);
        var writer = new PlanWriter(bytes, header);
        for (var sample : samples) {
            writer.add(sample);
        }
        writer.finish();
        store.write(ObjectKeys.plan(ref), bytes.toByteArray());
        return message(ref, header, Digests.sha256Hex(bytes.toByteArray()));
    }

    public static ShardPlanned message(ShardRef ref, PlanHeader header, String planSha256) {
        return new ShardPlanned(
                ref.dataset(),
                ref.version(),
                ref.split(),
                ref.shard(),
                header.samples(),
                header.bytes(),
                new PlanLink(ObjectKeys.plan(ref), planSha256));
    }
}
