package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One version of an image, owned by it.
final class Version {
    final DatasetName dataset;
    final VersionId id;
    final String requestId;
    final DatasetSpec spec;
    final Instant begunAt;
    private final ImageStore store;
    VersionState state = VersionState.PLANNING;
    /// Of the entry that began it.
    final long begunRevision;
    /// Of the entry that last changed its life; its shards' seals leave it alone.
    long lifeRevision;
    /// Of the entry that last changed anything in it.
    long revision;

    @Nullable
    String reason;

    @Nullable
    VersionId sameAs;

    /// Pinned when it began, and anew when it is retried after that one was removed.
    @Nullable
    VersionId parent;

    Inputs inputs = Inputs.NONE;

    @Nullable
    String planDigest;

    @Nullable
    String digest;

    @Nullable
    String order;

    @Nullable
    Instant sealedAt;

    /// When it came into its last state.
    Instant livedAt;

    /// When it came into its last state, or the last of its shards was sealed. Never goes back, whatever clocks the
    /// entries were stamped by.
    Instant progressAt;

    /// Nothing of it is left anywhere but in this image.
    boolean collected;
    /// In the order of the plan.
    final Map<SplitName, Split> splits = new LinkedHashMap<>();

    /// Versions under whose keys some of its shards lie.
    final SortedSet<VersionId> homes = new TreeSet<>();

    /// The number of the table that the shards of its splits are in.
    int plan;

    /// How many tables there ever were of it.
    int tables;

    /// While it is planned again.
    EarlierShards earlier = EarlierShards.NONE;

    /// @param store where its shards are
    Version(
            ImageStore store,
            DatasetName dataset,
            VersionId id,
            String requestId,
            DatasetSpec spec,
            Instant begunAt,
            long begunRevision) {
        this.store = store;
        this.dataset = dataset;
        this.id = id;
        this.requestId = requestId;
        this.spec = spec;
        this.begunAt = begunAt;
        this.begunRevision = begunRevision;
        this.livedAt = begunAt;
        this.progressAt = begunAt;
    }

    VersionName name() {
        return new VersionName(dataset, id);
    }

    void progress(Instant at) {
        progressAt = at.isAfter(progressAt) ? at : progressAt;
    }

    /// Only of a version in work.
    VersionProgress progress() {
        return new VersionProgress(
                dataset,
                id,
                state,
                progressAt,
                splits.values().stream().mapToInt(split -> split.shardCount()).sum(),
                splits.values().stream().mapToInt(Split::sealedShards).sum());
    }

    String path() {
        return dataset + "/" + id;
    }

    boolean isForgettable(Instant collectedUpTo) {
        return collected && !livedAt.isAfter(collectedUpTo);
    }

    Entity.Life life() {
        return new Entity.Life(dataset, id);
    }

    /// Of a version in planning: whether that is so because it was retried, not because it has just begun.
    boolean isRetried() {
        return lifeRevision != begunRevision;
    }

    Split split(SplitName name) {
        var split = splits.get(name);
        if (split == null) {
            throw new TarponException(
                    ProblemType.UNKNOWN_SPLIT,
                    "version " + path() + " (" + state.wireName() + ") has no split " + name + ", only "
                            + splits.keySet());
        }
        return split;
    }

    Shard shard(ShardRef ref) {
        var split = split(ref.split());
        if (collected) {
            throw Refusals.ended(this, "has no shard any more");
        }
        if (ref.shard().index() >= split.shardCount()) {
            throw new TarponException(
                    ProblemType.UNKNOWN_SHARD,
                    "split " + path() + "/" + ref.split() + " has no " + ref.shard() + ", only " + split.shardCount()
                            + " shards");
        }
        return split.shard(ref.shard().index());
    }

    /// The shard, where it is planned and not collected.
    Optional<Shard> findShard(SplitName name, ShardName shard) {
        var split = splits.get(name);
        return collected || split == null || shard.index() >= split.shardCount()
                ? Optional.empty()
                : Optional.of(split.shard(shard.index()));
    }

    /// How many shards of it are planned and not collected.
    long heldShards() {
        return collected
                ? 0
                : splits.values().stream()
                        .mapToLong(split -> split.shardCount())
                        .sum();
    }

    /// For the shards of another plan.
    ShardTable nextTable() {
        return table(tables++);
    }

    /// Where the shards of a plan are.
    ///
    /// @param plan counted from 0
    ShardTable table(int plan) {
        return new ShardTable(store, dataset, begunRevision, plan);
    }

    /// The revision of a shard as an entity: the end of its version changes every shard of it.
    long revisionOf(Shard shard) {
        return state.isEnd() ? Math.max(shard.revision, lifeRevision) : shard.revision;
    }

    /// Whether some of its shards lie under the keys of that version.
    boolean uses(VersionId other) {
        return homes.contains(other) || earlier.homes().contains(other);
    }

    /// Hands on the shards of other versions that some of this one's lie as.
    void forEachHome(Consumer<ShardRef> consumer) {
        earlier.forEachHome(consumer);
        splits.values()
                .forEach(split -> split.scan(0, (_, shard) -> {
                    if (shard.home() != null) {
                        consumer.accept(shard.home());
                    }
                    return true;
                }));
    }

    boolean everyShardIsSealed() {
        return splits.values().stream().allMatch(Split::isSealed);
    }

    /// SHA-256 over the splits in order of their names: each its name in UTF-8, one zero byte, and the 32 bytes of
    /// its digest.
    String digestOfSplits() {
        var sha = Digests.sha256();
        var byName = new TreeMap<String, Split>();
        splits.values().forEach(split -> byName.put(split.name.value(), split));
        byName.forEach((name, split) -> {
            sha.update(name.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            sha.update(HexFormat.of().parseHex(split.digest()));
        });
        return HexFormat.of().formatHex(sha.digest());
    }

    VersionRecord record() {
        return new VersionRecord(
                dataset,
                id,
                state,
                revision,
                requestId,
                reason,
                sameAs,
                parent,
                planDigest,
                digest,
                order,
                spec,
                inputs,
                splits.values().stream().map(Split::record).toList(),
                begunAt,
                sealedAt);
    }
}
