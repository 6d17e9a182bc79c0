package io.tarpon.metadata.image;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The shards that a version had sealed before it failed, while it is planned anew. What comes out of the new plan as
/// it was stays sealed.
final class EarlierShards {
    static final EarlierShards NONE = new EarlierShards(new TreeMap<>());

    private final SortedMap<String, SortedMap<Integer, Shard>> sealed;
    private final int count;

    private EarlierShards(SortedMap<String, SortedMap<Integer, Shard>> sealed) {
        this.sealed = sealed;
        this.count = sealed.values().stream().mapToInt(Map::size).sum();
    }

    static EarlierShards of(Collection<Split> splits) {
        var sealed = new TreeMap<String, SortedMap<Integer, Shard>>();
        for (var split : splits) {
            for (int i = 0; i < split.shards.size(); i++) {
                if (split.shards.get(i).isSealed()) {
                    sealed.computeIfAbsent(split.name.value(), _ -> new TreeMap<>())
                            .put(i, split.shards.get(i));
                }
            }
        }
        return new EarlierShards(sealed);
    }

    int count() {
        return count;
    }

    /// The sealed shard of the same name whose plan is the same; empty where there is none.
    Optional<ShardRecord> find(SplitName split, PlannedShard planned) {
        var held = sealed.getOrDefault(split.value(), new TreeMap<>())
                .get(planned.name().index());
        return Optional.ofNullable(held)
                .map(shard -> shard.record(planned.name()))
                .filter(record -> record.planSha256().equals(planned.planSha256())
                        && record.samples() == planned.samples()
                        && record.bytes() == planned.bytes());
    }

    /// Shards of other versions that some of these lie as.
    Stream<ShardRef> homes() {
        return sealed.values().stream()
                .flatMap(shards -> shards.values().stream())
                .map(Shard::home)
                .filter(Objects::nonNull);
    }

    /// In order of split and number.
    void forEach(Visitor visitor) {
        sealed.forEach((split, shards) ->
                shards.forEach((index, shard) -> visitor.visit(split, shard.record(new ShardName(index)))));
    }

    interface Visitor {
        void visit(String split, ShardRecord record);
    }
}
