package io.tarpon.metadata.image;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SplitRecord;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One split of a version: where its shards are, and running sums over those that are sealed.
final class Split {
    final SplitName name;
    /// Where it stands in the plan.
    final int position;

    private final ShardTable table;
    private int shardCount;
    private long samples;
    private long bytes;
    private int sealedShards;
    private long sealedBytes;
    private @Nullable String digest;
    private final SortedMap<String, FieldTotals> fields = new TreeMap<>();

    /// One without shards yet.
    Split(SplitName name, ShardTable table, int position) {
        this.name = name;
        this.table = table;
        this.position = position;
    }

    /// One whose shards are in the table already.
    Split(SplitRecord stored, ShardTable table, int position) {
        this.name = stored.name();
        this.shardCount = stored.shards();
        this.samples = stored.samples();
        this.bytes = stored.bytes();
        this.sealedShards = stored.sealedShards();
        this.sealedBytes = stored.sealedBytes();
        this.digest = stored.digest();
        this.fields.putAll(stored.fields());
        this.table = table;
        this.position = position;
    }

    int shardCount() {
        return shardCount;
    }

    long samples() {
        return samples;
    }

    long bytes() {
        return bytes;
    }

    /// Puts its next shard into the table. Returns the version under whose keys that lies, where it is another one.
    ///
    /// @param sealed as what it is sealed already; empty where it is not
    Optional<VersionId> add(PlannedShard planned, Optional<ShardRecord> sealed, long revision) {
        shardCount++;
        samples += planned.samples();
        bytes += planned.bytes();
        if (sealed.isEmpty()) {
            table.put(position, planned.name().index(), Shard.planned(planned, revision));
            return Optional.empty();
        }
        put(sealed.get(), revision);
        return Optional.ofNullable(sealed.get().home()).map(ShardRef::version);
    }

    /// After its last shard is there.
    void end() {
        if (isSealed()) {
            digest = digestOfShards();
        }
    }

    boolean isSealed() {
        return sealedShards == shardCount;
    }

    int sealedShards() {
        return sealedShards;
    }

    /// @param shard with its seal and where it lies
    void seal(ShardRecord shard, long revision) {
        put(shard, revision);
        if (isSealed()) {
            digest = digestOfShards();
        }
    }

    private void put(ShardRecord sealed, long revision) {
        var seal = sealed.sealed();
        table.put(position, sealed.name().index(), Shard.of(sealed, revision));
        sealedShards++;
        sealedBytes += seal.bytes();
        seal.fields().forEach((field, totals) -> fields.merge(field, totals, FieldTotals::plus));
    }

    /// SHA-256 over the 32 bytes of each shard's SHA-256, in order. Only where every shard is sealed.
    String digest() {
        return Objects.requireNonNull(digest, "a split has a digest once every shard is sealed");
    }

    private String digestOfShards() {
        var sha = Digests.sha256();
        scan(0, (_, shard) -> {
            sha.update(shard.sha256());
            return true;
        });
        return HexFormat.of().formatHex(sha.digest());
    }

    /// Of a version that is not collected.
    ///
    /// @param index below the number of its shards
    Shard shard(int index) {
        return Objects.requireNonNull(table.get(position, index), "a shard of a plan");
    }

    ShardRecord record(ShardName shard) {
        return shard(shard.index()).record(shard);
    }

    /// Visits its shards from number `from` on; none once its version is collected.
    void scan(int from, ShardTable.Visitor visitor) {
        table.scan(position, from, visitor);
    }

    SplitRecord record() {
        return new SplitRecord(name, digest, samples, bytes, shardCount, sealedShards, sealedBytes, fields);
    }
}
