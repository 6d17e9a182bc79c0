package io.tarpon.ingest;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.growth.GrowthJoin;
import io.tarpon.ingest.growth.NoGrowthException;
import io.tarpon.ingest.growth.Parent;
import io.tarpon.ingest.growth.ParentSamples;
import io.tarpon.ingest.growth.ShardChanges;
import io.tarpon.ingest.plan.InputCounts;
import io.tarpon.ingest.plan.PlanDigest;
import io.tarpon.ingest.plan.ShardCount;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.plan.SplitRule;
import io.tarpon.service.retry.Patience;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// From a source, a specification and maybe a parent to plan files and a report in the store (design section 6): list,
/// sort by sample key, hold beside the parent's samples, sort what is new into the seeded order, cut. The same listing,
/// specification and parent give the same bytes. A version that is planned anew grows from nothing: all its samples are
/// new. Memory depends on the number of shards, not of objects. Holds no state between plans.
final class PlanFreezing {
    /// Members, samples and report are sorted at a time; with a parent also its samples and what changed in them.
    private static final int SORTS = 3;

    private static final int GROWTH_SORTS = 5;

    private final ObjectStore store;
    private final SpoolArea spool;
    private final long sortMemoryBytes;
    private final int maxShards;
    private final Patience patience;

    /// @param spool each plan has as much room
    /// @param sortMemoryBytes for records held in memory, all sorts of one plan together
    /// @param patience with source and store
    PlanFreezing(ObjectStore store, SpoolArea spool, long sortMemoryBytes, int maxShards, Patience patience) {
        this.patience = patience;
        this.store = store;
        this.spool = spool;
        this.sortMemoryBytes = sortMemoryBytes;
        this.maxShards = maxShards;
    }

    /// Without a parent.
    FrozenPlan freeze(ObjectSource source, DatasetName dataset, VersionId version, DatasetSpec spec)
            throws IOException, UnplannableException {
        return freeze(source, dataset, version, spec, Parent.NONE, PacedFence.open());
    }

    /// Afterwards the plan files and the report are in the store; after an exception some may be. A plan lies under its
    /// digest, so what another process plans for the same version meanwhile, from a source that has changed, is not
    /// touched. A store that is away
    /// is waited for, and what it was away for is done once more, from the same listing.
    ///
    /// @param parent what the version grows from, [Parent#NONE] where it is planned anew
    /// @param fence asked every so often while the source is read, and before the first file is written; what it
    /// throws is thrown on, and the store was not touched
    /// @throws UnplannableException with the reason why there can be no plan; where inputs are the reason, the
    /// report is written
    /// @throws SourceUnreadableException when the source cannot be listed, and waiting would not help
    /// @throws SpoolException when the spool is full or broken
    FrozenPlan freeze(
            ObjectSource source,
            DatasetName dataset,
            VersionId version,
            DatasetSpec spec,
            Parent parent,
            PacedFence fence)
            throws IOException, UnplannableException {
        var own = spool.ofOnePlan();
        var one = new PlanFreezing(store, own, sortMemoryBytes, maxShards, patience);
        try (var listing = SourceListing.take(spec.source(), source, own, patience, fence)) {
            return patience.keepTrying(
                    "freeze plan " + dataset + "/" + version,
                    () -> one.freeze(listing, dataset, version, spec, parent, fence));
        }
    }

    private FrozenPlan freeze(
            SourceListing listing,
            DatasetName dataset,
            VersionId version,
            DatasetSpec spec,
            Parent parent,
            PacedFence fence)
            throws IOException, UnplannableException {
        long sortBytes = sortMemoryBytes / (parent.isNone() ? SORTS : GROWTH_SORTS);
        var counts = new InputCounts();
        try (var report = new Report(spool, sortBytes);
                var fresh = new SampleOrder(spool, sortBytes);
                var changes = new ShardChanges(spool, sortBytes)) {
            SplitLayout layout;
            var from = parent;
            try (var members =
                    SortedMembers.of(listing, SplitRule.parse(spec.splits()), spool, sortBytes, counts, report)) {
                layout = members.layout();
                from = members.isEmpty() ? Parent.NONE : parent;
                var grouping = new SampleGrouping(layout, spec, counts, report);
                group(members, grouping, new ParentSamples(store, from, layout), sortBytes, changes, fresh);
            }
            var inputs = counts.inputs();
            // Its key is the same for whoever plans the version: it must not go over that of a plan that was taken.
            fence.checkNow();
            report.write(store, ObjectKeys.report(dataset, version));
            var plans = new ShardPlans(store, spool, spec.source(), dataset, version, layout);
            var standing = StandingShards.of(from, layout, changes);
            var shardCounts = shardCounts(layout, standing, fresh, spec);
            var splits =
                    joined(layout, standing.write(store, plans), plans.write(fresh, shardCounts, standing.counts()));
            boolean same = standing.isWholeParent() && fresh.isEmpty();
            return new FrozenPlan(inputs, splits, digest(from, same, splits));
        } catch (NoGrowthException e) {
            throw new UnplannableException(e.reason());
        }
    }

    /// Steps 3 and, with a parent, 4: members become samples, and samples that the parent does not have are new.
    private void group(
            SortedMembers members,
            SampleGrouping grouping,
            ParentSamples parents,
            long sortBytes,
            ShardChanges changes,
            SampleOrder fresh)
            throws IOException, UnplannableException, NoGrowthException {
        try (var earlier = new ExternalSort(spool, sortBytes)) {
            parents.addTo(earlier);
            var join = new GrowthJoin(earlier.open(), changes, fresh);
            grouping.group(members.open(), join);
            join.finish();
        }
    }

    private List<ShardCount> shardCounts(
            SplitLayout layout, StandingShards standing, SampleOrder fresh, DatasetSpec spec)
            throws UnplannableException {
        var counts = new ArrayList<ShardCount>();
        int total = 0;
        for (int split = 0; split < layout.splits().size(); split++) {
            int stay = standing.counts().get(split);
            try {
                var count = ShardCount.beside(
                        stay, fresh.load(split), spec.shardBytes(), spec.shardsMultipleOf(), maxShards - total);
                counts.add(count);
                total += stay + count.total();
            } catch (IllegalArgumentException e) {
                throw new UnplannableException("split " + layout.splits().get(split) + ": " + e.getMessage());
            }
        }
        return counts;
    }

    private static List<PlannedSplit> joined(
            SplitLayout layout, List<List<PlannedShard>> standing, List<List<PlannedShard>> fresh) {
        var splits = new ArrayList<PlannedSplit>();
        for (int split = 0; split < layout.splits().size(); split++) {
            var shards = new ArrayList<>(standing.get(split));
            shards.addAll(fresh.get(split));
            if (!shards.isEmpty()) {
                splits.add(new PlannedSplit(layout.splits().get(split), shards));
            }
        }
        return splits;
    }

    private static String digest(Parent parent, boolean same, List<PlannedSplit> splits) {
        if (parent.isNone()) {
            return PlanDigest.of(splits);
        }
        return same ? parent.planDigest() : PlanDigest.grown(parent.planDigest(), splits);
    }
}
