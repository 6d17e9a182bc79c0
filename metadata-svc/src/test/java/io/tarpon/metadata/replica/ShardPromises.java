package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.PlannedPart;
import io.tarpon.metadata.image.Image;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.VersionState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What holds for every sealed shard: it stays as it was sealed until its version is planned anew, and where it lies
/// under another version's keys, it is still there.
final class ShardPromises {
    private static final int MANY = 1_000;

    private final Map<ShardRef, SealShard> current = new HashMap<>();
    private final Map<String, SortedMap<Integer, List<PlannedPart>>> pages = new HashMap<>();
    private final Map<ShardRef, Set<SealShard>> ever = new HashMap<>();
    private int kept;
    private int carried;
    private int collected;

    int kept() {
        return kept;
    }

    int carried() {
        return carried;
    }

    int collected() {
        return collected;
    }

    Set<SealShard> everSealed(ShardRef ref) {
        return ever.getOrDefault(ref, Set.of());
    }

    /// A change that was applied.
    void look(Image image, Change change) {
        switch (change) {
            case Change.ShardSealed sealed -> remember(sealed.ref(), sealed.seal());
            case Change.PlanPaged page ->
                pages.computeIfAbsent(page.pages().id(), _ -> new TreeMap<>()).put(page.number(), page.splits());
            case Change.VersionPlanned planned -> {
                planned.splits().forEach(split -> lookAtPlan(image, planned, split.name(), split.shards()));
                var paged = planned.pages();
                if (paged != null) {
                    var all = Objects.requireNonNull(pages.get(paged.id()), "pages come before their plan");
                    assertThat(all.keySet()).as("pages of %s", planned).hasSize(paged.count());
                    all.values()
                            .forEach(parts ->
                                    parts.forEach(part -> lookAtPlan(image, planned, part.name(), part.shards())));
                }
            }
            case Change.VersionRetried retried -> forget(retried.dataset(), retried.version());
            case Change.VersionCollected gone -> {
                collected++;
                forget(gone.dataset(), gone.version());
            }
            case Change.LogBegun _,
                    Change.LevelRaised _,
                    Change.DatasetRegistered _,
                    Change.VersionBegun _,
                    Change.InputsCounted _,
                    Change.VersionFailed _,
                    Change.VersionRemoved _,
                    Change.DatasetRemoved _,
                    Change.NodeJoined _,
                    Change.NodeLeft _,
                    Change.VersionForgotten _,
                    Change.NodeForgotten _ -> {}
        }
    }

    private void lookAtPlan(
            Image image, Change.VersionPlanned planned, SplitName split, List<PlannedShard> planOfSplit) {
        for (var shard : planOfSplit) {
            var ref = new ShardRef(planned.dataset(), planned.version(), split, shard.name());
            var record = image.reads().shard(ref);
            assertThat(record.planSha256()).as("plan of %s", ref).isEqualTo(shard.planSha256());
            if (shard.kept() != null) {
                kept++;
                assertThat(record.seal()).as("%s is kept, so it is sealed", ref).isNotNull();
                assertThat(record.home()).as("%s lies elsewhere", ref).isNotNull();
            }
            var seal = record.seal();
            if (seal != null) {
                carried += shard.kept() == null ? 1 : 0;
                assertThat(shard.kept() != null || everSealed(ref).contains(seal))
                        .as("%s was built", ref)
                        .isTrue();
                remember(ref, seal);
            }
        }
    }

    private void remember(ShardRef ref, SealShard seal) {
        current.put(ref, seal);
        ever.computeIfAbsent(ref, _ -> new HashSet<>()).add(seal);
    }

    private void forget(DatasetName dataset, VersionId version) {
        current.keySet()
                .removeIf(ref -> ref.dataset().equals(dataset) && ref.version().equals(version));
    }

    /// @param datasets of this image, whole
    void check(Image image, List<DatasetRecord> datasets) {
        current.forEach((ref, seal) ->
                assertThat(image.reads().shard(ref).seal()).as(ref.path()).isEqualTo(seal));
        for (var dataset : datasets) {
            for (var version : dataset.versions()) {
                if (version.state() != VersionState.REMOVED) {
                    version.splits()
                            .forEach(split -> image.reads()
                                    .shards(version.dataset(), version.version(), split.name(), 0, MANY)
                                    .shards()
                                    .forEach(shard -> {
                                        var home = shard.home();
                                        if (home != null) {
                                            checkHome(image, home, shard.sealed());
                                        }
                                    }));
                }
            }
        }
    }

    /// Where a living version's shard lies nothing was collected, and what lies there is what was sealed.
    private static void checkHome(Image image, ShardRef home, SealShard seal) {
        var there = image.reads().shard(home);
        assertThat(there.seal()).as("home %s", home).isEqualTo(seal);
        assertThat(there.home()).as("home %s is where it was built", home).isNull();
    }
}
