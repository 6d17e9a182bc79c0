package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.PlanPages;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The pages of plans that one version in planning may get, set aside until the last entry of one of the plans.
/// Several who plan a version at once do not meet: each plan has pages, and a table of shards, of its own.
///
/// Bounded: who begins to plan a version differently, while [#MAX_PLANS] plans of it are half there, drops the one
/// that has grown least lately. A plan that was dropped begins anew; its last entry cannot be applied by mistake, for
/// it rests on nothing having been dropped. All of it ends with the version's planning.
final class HeldPages {
    /// Two who race can both finish.
    static final int MAX_PLANS = 2;

    private final SortedMap<String, Held> plans = new TreeMap<>();
    private long droppedRevision;

    HeldPages() {}

    /// Those that were stored.
    HeldPages(SortedMap<String, Held> plans, long droppedRevision) {
        this.plans.putAll(plans);
        this.droppedRevision = droppedRevision;
    }

    /// What is there of one plan.
    ///
    /// @param pages how many, from the first on
    /// @param revision of the entry that brought the last of them
    record Held(GrowingPlan plan, int pages, long revision) {}

    /// Of the entry by which pages were dropped last, 0 where none were.
    long droppedRevision() {
        return droppedRevision;
    }

    SortedMap<String, Held> plans() {
        return plans;
    }

    /// A page that is there already changes nothing, and nor does one whose plan was dropped since it was decided.
    /// Returns how many shards are held more than before.
    ///
    /// @param table where the shards of a plan go that was not there yet
    long hold(Change.PlanPaged page, Supplier<ShardTable> table, GrowingPlan.SealedAlready sealed, long revision) {
        var id = page.pages().id();
        if (page.number() != pages(id) + 1) {
            return 0;
        }
        var dropped = plans.containsKey(id) ? 0 : makeRoom(revision);
        var there = plans.get(id);
        var held = there == null ? new Held(new GrowingPlan(table.get()), 0, revision) : there;
        var before = held.plan().shards();
        page.splits().forEach(part -> held.plan().add(part.name(), part.shards(), sealed, revision));
        plans.put(id, new Held(held.plan(), page.number(), revision));
        return held.plan().shards() - before - dropped;
    }

    private long makeRoom(long revision) {
        if (plans.size() < MAX_PLANS) {
            return 0;
        }
        var oldest = plans.entrySet().stream()
                .min(Comparator.comparingLong(plan -> plan.getValue().revision()))
                .orElseThrow();
        plans.remove(oldest.getKey());
        droppedRevision = revision;
        oldest.getValue().plan().table.drop();
        return oldest.getValue().plan().shards();
    }

    private int pages(String id) {
        var held = plans.get(id);
        return held == null ? 0 : held.pages();
    }

    /// The number of the first page that is not there, 0 where all are.
    int missing(PlanPages plan) {
        return missingCount(plan) == 0 ? 0 : pages(plan.id()) + 1;
    }

    /// How many pages are not there.
    int missingCount(PlanPages plan) {
        return plan.count() - pages(plan.id());
    }

    long shards(PlanPages plan) {
        var held = plans.get(plan.id());
        return held == null ? 0 : held.plan().shards();
    }

    long shards() {
        return plans.values().stream().mapToLong(held -> held.plan().shards()).sum();
    }

    /// The whole plan, which is not held any more; empty where a page of it is missing.
    Optional<GrowingPlan> take(PlanPages plan) {
        return missing(plan) > 0
                ? Optional.empty()
                : Optional.ofNullable(plans.remove(plan.id())).map(Held::plan);
    }

    /// Forgets all of them.
    void drop() {
        plans.values().forEach(held -> held.plan().table.drop());
        plans.clear();
    }
}
