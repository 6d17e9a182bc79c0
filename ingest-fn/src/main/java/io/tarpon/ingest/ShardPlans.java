package io.tarpon.ingest;

import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.ShardCount;
import io.tarpon.ingest.plan.ShardCutter;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.record.SampleRecord;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Last step: samples in the order of their split are cut into shards, one plan file each. Reads the samples twice,
/// because a plan begins with what it adds up to; keeps three numbers for each shard.
final class ShardPlans {
    private final ObjectStore store;
    private final SpoolArea spool;
    private final String source;
    private final DatasetName dataset;
    private final VersionId version;
    private final SplitLayout layout;

    /// @param spool for the plan that is being written
    ShardPlans(
            ObjectStore store,
            SpoolArea spool,
            String source,
            DatasetName dataset,
            VersionId version,
            SplitLayout layout) {
        this.store = store;
        this.spool = spool;
        this.source = source;
        this.dataset = dataset;
        this.version = version;
        this.layout = layout;
    }

    /// What one shard adds up to.
    ///
    /// @param tarBytes headers, data and padding of all members
    record Sum(int samples, long members, long tarBytes) {
        private Sum plus(SampleRecord sample) {
            return new Sum(samples + 1, members + sample.members().size(), tarBytes + sample.tarBytes());
        }
    }

    /// Writes the plan files of the new samples; gives the new shards by number of the split.
    ///
    /// @param counts how many shards each split gets; `first` is the number of the first of them
    List<List<PlannedShard>> write(SampleOrder samples, List<ShardCount> counts, List<Integer> first)
            throws IOException {
        var sums = cut(samples, counts);
        var planned = new ArrayList<List<PlannedShard>>();
        var sorted = samples.open();
        for (int split = 0; split < sums.size(); split++) {
            var shards = new ArrayList<PlannedShard>();
            for (var sum : sums.get(split)) {
                shards.add(write(split, new ShardName(first.get(split) + shards.size()), sum, sorted));
            }
            planned.add(shards);
        }
        return planned;
    }

    /// Begins the plan of one shard.
    PlanFile begin(int split, ShardName shard, Sum sum) throws IOException {
        var name = layout.splits().get(split);
        var header =
                new PlanHeader(source, name, shard, sum.samples(), sum.members(), sum.tarBytes() + Ustar.END_BYTES);
        return new PlanFile(store, spool, new ShardRef(dataset, version, name, shard), header);
    }

    PlannedSample planned(SampleRecord sample) {
        var key = sample.renamed() ? KeyPolicy.renamed(sample.sampleKey()) : sample.sampleKey();
        var stem = layout.folder(sample.split()) + sample.sampleKey() + ".";
        var members = new ArrayList<PlannedMember>(sample.members().size());
        for (var member : sample.members()) {
            members.add(new PlannedMember(
                    member.finalExtension(), member.sizeBytes(), stem + member.extension(), member.etag()));
        }
        return new PlannedSample(key, members);
    }

    private List<List<Sum>> cut(SampleOrder samples, List<ShardCount> counts) throws SpoolException {
        var sums = new ArrayList<List<Sum>>();
        var cutters = new ArrayList<ShardCutter>();
        for (int split = 0; split < counts.size(); split++) {
            sums.add(new ArrayList<>());
            cutters.add(new ShardCutter(samples.load(split), counts.get(split)));
        }
        var sorted = samples.open();
        while (sorted.next()) {
            var sample = read(sorted);
            var shards = sums.get(sample.split());
            int shard = cutters.get(sample.split()).next(sample.tarBytes());
            if (shard == shards.size()) {
                shards.add(new Sum(0, 0, 0));
            }
            shards.set(shard, shards.get(shard).plus(sample));
        }
        return sums;
    }

    private PlannedShard write(int split, ShardName shard, Sum sum, Records sorted) throws IOException {
        try (var plan = begin(split, shard, sum)) {
            for (int i = 0; i < sum.samples(); i++) {
                if (!sorted.next()) {
                    throw new IllegalStateException("the spool gave fewer samples the second time");
                }
                plan.add(planned(read(sorted)));
            }
            return plan.finish();
        }
    }

    private static SampleRecord read(Records records) {
        return SampleRecord.read(records.bytes(), records.from(), records.length());
    }
}
