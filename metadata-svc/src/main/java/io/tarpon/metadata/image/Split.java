package io.tarpon.metadata.image;

import io.tarpon.wire.Digests;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.SplitRecord;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One split of a version, with running sums over its sealed shards.
final class Split {
    final SplitName name;
    final List<Shard> shards;
    final long samples;
    final long bytes;
    private int sealedShards;
    private long sealedBytes;
    private @Nullable String digest;
    private final SortedMap<String, FieldTotals> fields = new TreeMap<>();

    Split(PlannedSplit planned, long revision) {
        this.name = planned.name();
        this.shards = planned.shards().stream()
                .map(shard -> new Shard(shard, revision))
                .toList();
        this.samples =
                shards.stream().mapToLong(shard -> shard.planned.samples()).sum();
        this.bytes = shards.stream().mapToLong(shard -> shard.planned.bytes()).sum();
    }

    boolean isSealed() {
        return sealedShards == shards.size();
    }

    void seal(Shard shard, SealShard seal, long revision) {
        shard.seal = seal;
        shard.revision = revision;
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
        shards.forEach(shard ->
                sha.update(HexFormat.of().parseHex(shard.record().sealed().sha256())));
        return HexFormat.of().formatHex(sha.digest());
    }

    SplitRecord record() {
        return new SplitRecord(name, digest, samples, bytes, shards.size(), sealedShards, sealedBytes, fields);
    }
}
