package io.tarpon.metadata.image;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SplitRecord;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One split of a version, with running sums over its sealed shards.
final class Split {
    final SplitName name;
    /// None once its version is collected.
    final List<Shard> shards = new ArrayList<>();
    final int shardCount;
    final long samples;
    final long bytes;
    private int sealedShards;
    private long sealedBytes;
    private @Nullable String digest;
    private final SortedMap<String, FieldTotals> fields = new TreeMap<>();

    Split(PlannedSplit planned, long revision) {
        this.name = planned.name();
        planned.shards().forEach(shard -> shards.add(new Shard(shard, revision)));
        this.shardCount = shards.size();
        this.samples =
                planned.shards().stream().mapToLong(PlannedShard::samples).sum();
        this.bytes = planned.shards().stream().mapToLong(PlannedShard::bytes).sum();
    }

    boolean isSealed() {
        return sealedShards == shardCount;
    }

    int sealedShards() {
        return sealedShards;
    }

    /// @param shard with its seal and where it lies
    void seal(ShardRecord shard, long revision) {
        var seal = shard.sealed();
        shards.get(shard.name().index()).seal(shard, revision);
        sealedShards++;
        sealedBytes += seal.bytes();
        seal.fields().forEach((field, totals) -> fields.merge(field, totals, FieldTotals::plus));
        if (isSealed()) {
            digest = digestOfShards();
        }
    }

    /// SHA-256 over the 32 bytes of each shard's SHA-256, in order. Only where every shard is sealed.
    String digest() {
        return Objects.requireNonNull(digest, "a split has a digest once every shard is sealed");
    }

    private String digestOfShards() {
        var sha = Digests.sha256();
        for (int i = 0; i < shards.size(); i++) {
            sha.update(HexFormat.of().parseHex(record(new ShardName(i)).sealed().sha256()));
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    ShardRecord record(ShardName shard) {
        return shards.get(shard.index()).record(shard);
    }

    SplitRecord record() {
        return new SplitRecord(name, digest, samples, bytes, shardCount, sealedShards, sealedBytes, fields);
    }
}
