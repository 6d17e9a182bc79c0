package io.tarpon.metadata.image;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The shards that a version had sealed before it failed, while it is planned anew: the table of the plan before.
/// What comes out of the new plan as it was stays sealed.
final class EarlierShards {
    static final EarlierShards NONE = new EarlierShards(null, List.of(), new TreeSet<>());

    /// Null where there are none.
    private final @Nullable ShardTable table;

    private final SortedMap<String, Split> splits = new TreeMap<>();
    private final SortedSet<VersionId> homes;
    private final int count;

    /// Those that [#stored()] told of.
    ///
    /// @param table that of the splits
    static EarlierShards of(ShardTable table, StoredImage.Earlier stored) {
        var splits = new ArrayList<Split>();
        for (int i = 0; i < stored.splits().size(); i++) {
            splits.add(
                    new Split(stored.splits().get(i), table, stored.positions().get(i)));
        }
        return new EarlierShards(table, splits, stored.homes());
    }

    /// @param table that of the splits; null where there are none
    /// @param homes versions under whose keys some of the shards lie
    EarlierShards(@Nullable ShardTable table, Collection<Split> splits, SortedSet<VersionId> homes) {
        this.table = table;
        this.homes = Collections.unmodifiableSortedSet(new TreeSet<>(homes));
        splits.forEach(split -> this.splits.put(split.name.value(), split));
        this.count = splits.stream().mapToInt(Split::sealedShards).sum();
    }

    int count() {
        return count;
    }

    /// Null where there are none.
    StoredImage.@Nullable Earlier stored() {
        return table == null
                ? null
                : new StoredImage.Earlier(
                        table.plan(),
                        splits.values().stream().map(Split::record).toList(),
                        splits.values().stream().map(split -> split.position).toList(),
                        homes);
    }

    /// Versions under whose keys some of them lie.
    SortedSet<VersionId> homes() {
        return homes;
    }

    /// The sealed shard of the same name whose plan is the same; empty where there is none.
    Optional<ShardRecord> find(SplitName split, PlannedShard planned) {
        var held = splits.get(split.value());
        var index = planned.name().index();
        if (held == null || index >= held.shardCount()) {
            return Optional.empty();
        }
        return Optional.of(held.shard(index))
                .filter(Shard::isSealed)
                .map(shard -> shard.record(planned.name()))
                .filter(record -> record.planSha256().equals(planned.planSha256())
                        && record.samples() == planned.samples()
                        && record.bytes() == planned.bytes());
    }

    /// Hands on the places under whose keys some of them lie.
    void forEachHome(Consumer<ShardRef> consumer) {
        forEachShard((_, _, shard) -> {
            if (shard.home() != null) {
                consumer.accept(shard.home());
            }
        });
    }

    /// In order of split and number.
    void forEach(Visitor visitor) {
        forEachShard((split, index, shard) -> visitor.visit(split, shard.record(new ShardName(index))));
    }

    /// None of them is remembered from here on.
    void drop() {
        if (table != null) {
            table.drop();
        }
    }

    private void forEachShard(ShardVisitor visitor) {
        splits.forEach((name, split) -> split.scan(0, (index, shard) -> {
            if (shard.isSealed()) {
                visitor.visit(name, index, shard);
            }
            return true;
        }));
    }

    private interface ShardVisitor {
        void visit(String split, int index, Shard shard);
    }

    interface Visitor {
        void visit(String split, ShardRecord record);
    }
}
