package io.tarpon.ingest;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.ShardCount;
import io.tarpon.ingest.plan.ShardCutter;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.record.SampleRecord;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlanWriter;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Step 4: samples in the order of their split are cut into shards, one plan file each. Reads the samples twice,
/// because a plan begins with
/// what it adds up to; keeps three numbers for each shard.
final class ShardPlans {
    private final String source;
    private final DatasetName dataset;
    private final VersionId version;
    private final SplitLayout layout;
    private final ExternalSort samples;

    /// @param samples [SampleRecord]s
    ShardPlans(String source, DatasetName dataset, VersionId version, SplitLayout layout, ExternalSort samples) {
        this.source = source;
        this.dataset = dataset;
        this.version = version;
        this.layout = layout;
        this.samples = samples;
    }

    /// What one shard adds up to.
    private record Cut(int samples, long members, long tarBytes) {
        Cut plus(SampleRecord sample) {
            return new Cut(samples + 1, members + sample.members().size(), tarBytes + sample.tarBytes());
        }
    }

    /// Writes the plan files of every split that has samples. `counts` and `loads` are by split, null where there is
    /// none.
    List<PlannedSplit> write(ObjectStore store, List<ShardCount> counts, List<ShardCount.Load> loads)
            throws IOException {
        var cuts = cut(counts, loads);
        var planned = new ArrayList<PlannedSplit>();
        var sorted = samples.open();
        for (int split = 0; split < cuts.size(); split++) {
            var shards = new ArrayList<PlannedShard>();
            for (var cut : cuts.get(split)) {
                shards.add(write(store, layout.splits().get(split), new ShardName(shards.size()), cut, sorted));
            }
            if (!shards.isEmpty()) {
                planned.add(new PlannedSplit(layout.splits().get(split), shards));
            }
        }
        return planned;
    }

    private List<List<Cut>> cut(List<ShardCount> counts, List<ShardCount.Load> loads) throws SpoolException {
        var cuts = new ArrayList<List<Cut>>();
        var cutters = new ArrayList<ShardCutter>();
        for (int split = 0; split < loads.size(); split++) {
            cuts.add(new ArrayList<>());
            cutters.add(new ShardCutter(loads.get(split), counts.get(split)));
        }
        var sorted = samples.open();
        while (sorted.next()) {
            var sample = read(sorted);
            var shards = cuts.get(sample.split());
            int shard = cutters.get(sample.split()).next(sample.tarBytes());
            if (shard == shards.size()) {
                shards.add(new Cut(0, 0, 0));
            }
            shards.set(shard, shards.get(shard).plus(sample));
        }
        return cuts;
    }

    private PlannedShard write(ObjectStore store, SplitName split, ShardName shard, Cut cut, Records sorted)
            throws IOException {
        var ref = new ShardRef(dataset, version, split, shard);
        long bytes = cut.tarBytes() + Ustar.END_BYTES;
        try (var out = new StoreOutput(store, ObjectKeys.plan(ref))) {
            var plan = new PlanWriter(out, new PlanHeader(source, split, shard, cut.samples(), cut.members(), bytes));
            for (int i = 0; i < cut.samples(); i++) {
                if (!sorted.next()) {
                    throw new IllegalStateException("the spool gave fewer samples the second time");
                }
                plan.add(planned(read(sorted)));
            }
            plan.finish();
            return new PlannedShard(shard, cut.samples(), bytes, out.complete());
        }
    }

    private PlannedSample planned(SampleRecord sample) {
        var key = sample.renamed() ? KeyPolicy.renamed(sample.sampleKey()) : sample.sampleKey();
        var stem = layout.folder(sample.split()) + sample.sampleKey() + ".";
        var members = new ArrayList<PlannedMember>(sample.members().size());
        for (var member : sample.members()) {
            members.add(new PlannedMember(
                    member.finalExtension(), member.sizeBytes(), stem + member.extension(), member.etag()));
        }
        return new PlannedSample(key, members);
    }

    private static SampleRecord read(Records records) {
        return SampleRecord.read(records.bytes(), records.from(), records.length());
    }
}
