package io.tarpon.ingest;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.Classified;
import io.tarpon.ingest.plan.InputCounts;
import io.tarpon.ingest.plan.ShardCount;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.plan.SplitRule;
import io.tarpon.ingest.record.ListedRecord;
import io.tarpon.ingest.record.MemberRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.PlannedSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// From a source and a specification to plan files and a report in the store (design section 6): list, sort by sample
/// key,
/// sort into the seeded order, cut. The same listing and specification give the same bytes. Memory depends on the
/// number of shards, not of
/// objects. Holds no state between plans.
final class PlanFreezing {
    /// Members, samples and report are sorted at a time.
    private static final int SORTS = 3;

    private final ObjectStore store;
    private final SpoolArea spool;
    private final long sortBytes;
    private final int maxShards;

    /// @param sortMemoryBytes for records held in memory, all sorts of one plan together
    PlanFreezing(ObjectStore store, SpoolArea spool, long sortMemoryBytes, int maxShards) {
        this.store = store;
        this.spool = spool;
        this.sortBytes = sortMemoryBytes / SORTS;
        this.maxShards = maxShards;
    }

    /// Afterwards the plan files and the report are in the store; after an exception some may be.
    ///
    /// @throws UnplannableException with the reason why there can be no plan; where inputs are the reason, the
    /// report is written
    /// @throws SourceUnreadableException when the source cannot be listed
    /// @throws SpoolException when the spool is full or broken
    /// @throws IOException when the store does not take the files
    FrozenPlan freeze(ObjectSource source, DatasetName dataset, VersionId version, DatasetSpec spec)
            throws IOException, UnplannableException {
        var rule = SplitRule.parse(spec.splits());
        var counts = new InputCounts();
        try (var report = new Report(spool, sortBytes);
                var samples = new ExternalSort(spool, sortBytes)) {
            SplitLayout layout;
            List<ShardCount.Load> loads;
            try (var members = new ExternalSort(spool, sortBytes)) {
                layout = sortMembers(source, spec.source(), rule, counts, report, members);
                loads = new SampleGrouping(layout, spec, counts, report, samples).group(members.open());
            }
            var inputs = counts.inputs();
            report.write(store, ObjectKeys.report(dataset, version));
            var shardCounts = shardCounts(layout, loads, spec);
            var plans = new ShardPlans(spec.source(), dataset, version, layout, samples);
            List<PlannedSplit> splits = plans.write(store, shardCounts, loads);
            return new FrozenPlan(inputs, splits);
        }
    }

    /// Step 2: every object of the listing into its split and sample, or into the report.
    private SplitLayout sortMembers(
            ObjectSource source,
            String reference,
            SplitRule rule,
            InputCounts counts,
            Report report,
            ExternalSort members)
            throws IOException {
        try (var listing = SourceListing.take(reference, source, spool)) {
            var layout = SplitLayout.of(rule, listing.folders());
            var record = new RecordBytes();
            var listed = listing.open();
            while (listed.next()) {
                var object = ListedRecord.read(listed.bytes(), listed.from(), listed.length());
                counts.found();
                switch (layout.classify(object)) {
                    case Classified.LeftOut(var reason) -> {
                        counts.leftOut(reason);
                        report.leftOut(object.key(), reason);
                    }
                    case Classified.Member(int split, var sampleKey, var extension, var finalExtension) -> {
                        new MemberRecord(split, sampleKey, finalExtension, extension, object.sizeBytes(), object.etag())
                                .write(record);
                        members.add(record.bytes(), 0, record.length());
                    }
                }
            }
            return layout;
        }
    }

    private List<ShardCount> shardCounts(SplitLayout layout, List<ShardCount.Load> loads, DatasetSpec spec)
            throws UnplannableException {
        var counts = new ArrayList<ShardCount>();
        int total = 0;
        for (int split = 0; split < loads.size(); split++) {
            try {
                var load = loads.get(split);
                var count = load.samples() == 0
                        ? new ShardCount(0, 0)
                        : ShardCount.of(load, spec.shardBytes(), spec.shardsMultipleOf(), maxShards - total);
                counts.add(count);
                total += count.total();
            } catch (IllegalArgumentException e) {
                throw new UnplannableException("split " + layout.splits().get(split) + ": " + e.getMessage());
            }
        }
        return counts;
    }
}
