package io.tarpon.ingest;

import io.tarpon.ingest.growth.ChangeCursor;
import io.tarpon.ingest.growth.NoGrowthException;
import io.tarpon.ingest.growth.Parent;
import io.tarpon.ingest.growth.ParentPlan;
import io.tarpon.ingest.growth.ShardChanges;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The parent's shards that a version still has: kept where nothing in them changed, else planned again with what
/// changed in its place. One that lost all its samples is no more, and those after it move down.
final class StandingShards {
    private final Parent parent;
    private final ShardChanges changes;
    private final List<List<Standing>> bySplit = new ArrayList<>();
    private boolean whole;

    private StandingShards(Parent parent, ShardChanges changes) {
        this.parent = parent;
        this.changes = changes;
        this.whole = changes.isEmpty();
    }

    /// @param number of the shard in the parent
    private record Standing(int number, Parent.Shard was) {}

    static StandingShards of(Parent parent, SplitLayout layout, ShardChanges changes) {
        var standing = new StandingShards(parent, changes);
        for (int split = 0; split < layout.splits().size(); split++) {
            standing.add(split, parent.shards(layout.splits().get(split)));
        }
        standing.whole &=
                parent.splits().stream().allMatch(split -> layout.splits().contains(split.name()));
        return standing;
    }

    /// Whether every shard of the parent is kept.
    boolean isWholeParent() {
        return whole;
    }

    /// How many there are, by number of the split.
    List<Integer> counts() {
        return bySplit.stream().map(List::size).toList();
    }

    /// By number of the split, named from `shard-000000` on. Afterwards the plans of those that are built again are in
    /// the store. Reads each plan of the parent that changed once more, and the changes once.
    List<List<PlannedShard>> write(ObjectStore store, ShardPlans plans) throws IOException, NoGrowthException {
        var cursor = changes.cursor();
        var planned = new ArrayList<List<PlannedShard>>();
        for (int split = 0; split < bySplit.size(); split++) {
            var shards = new ArrayList<PlannedShard>();
            for (var shard : bySplit.get(split)) {
                var name = new ShardName(shards.size());
                shards.add(
                        changes.has(split, shard.number())
                                ? rebuilt(store, plans, cursor, split, shard, name)
                                : kept(shard.was(), name));
            }
            planned.add(shards);
        }
        return planned;
    }

    private void add(int split, List<Parent.Shard> shards) {
        var stay = new ArrayList<Standing>();
        for (int number = 0; number < shards.size(); number++) {
            var shard = shards.get(number);
            if (shard.samples() + changes.tally(split, number).samples() > 0) {
                stay.add(new Standing(number, shard));
            }
        }
        bySplit.add(stay);
    }

    private static PlannedShard kept(Parent.Shard was, ShardName name) {
        return new PlannedShard(name, was.samples(), was.bytes(), was.planSha256(), was.name());
    }

    private PlannedShard rebuilt(
            ObjectStore store, ShardPlans plans, ChangeCursor cursor, int split, Standing shard, ShardName name)
            throws IOException, NoGrowthException {
        try (var was = ParentPlan.open(store, parent, shard.was());
                var plan = plans.begin(split, name, sum(was.header(), changes.tally(split, shard.number())))) {
            int place = 0;
            for (var next = was.next(); next.isPresent(); next = was.next()) {
                var change = cursor.at(split, shard.number(), place++);
                var now = change.isEmpty() ? next : change.get().sample().map(plans::planned);
                if (now.isPresent()) {
                    plan.add(now.get());
                }
            }
            return plan.finish();
        }
    }

    private static ShardPlans.Sum sum(PlanHeader was, ShardChanges.Tally more) {
        return new ShardPlans.Sum(
                Math.toIntExact(was.samples() + more.samples()),
                was.members() + more.members(),
                was.bytes() - Ustar.END_BYTES + more.tarBytes());
    }
}
