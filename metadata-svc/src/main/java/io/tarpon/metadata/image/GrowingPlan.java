package io.tarpon.metadata.image;

import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/// A plan on its way into the image, whose shards come part by part, in order, and go into a table of its own at
/// once: however long it is, it holds no more than its splits.
final class GrowingPlan {
    final ShardTable table;
    /// In the order of the plan.
    final Map<SplitName, Split> splits = new LinkedHashMap<>();
    /// Versions under whose keys some of its shards lie.
    final NavigableSet<VersionId> homes = new TreeSet<>();

    GrowingPlan(ShardTable table) {
        this.table = table;
    }

    /// Says of a planned shard as what it is sealed already.
    interface SealedAlready {
        Optional<ShardRecord> find(SplitName split, PlannedShard planned);
    }

    void add(SplitName name, List<PlannedShard> shards, SealedAlready sealed, long revision) {
        var split = splits.computeIfAbsent(name, _ -> new Split(name, table, splits.size()));
        for (var planned : shards) {
            split.add(planned, sealed.find(name, planned), revision).ifPresent(homes::add);
        }
    }

    /// After the last part.
    void end() {
        splits.values().forEach(Split::end);
    }

    long shards() {
        return splits.values().stream().mapToLong(Split::shardCount).sum();
    }
}
