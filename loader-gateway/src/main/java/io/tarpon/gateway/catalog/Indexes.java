package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexFormat;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Shard indexes from the object store, each checked against the digest it was sealed with, kept up to a number of
/// bytes.
///
/// Threads: any. One index is loaded once, whoever waits for it.
public final class Indexes {
    private final ObjectStore store;
    private final Executor executor;
    private final AsyncCache<String, ShardIndex> indexes;

    /// @param executor its threads block on the object store
    public Indexes(ObjectStore store, Executor executor, long maxBytes) {
        this.store = store;
        this.executor = executor;
        this.indexes = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .<String, ShardIndex>weigher((_, index) -> (int) Math.min(Integer.MAX_VALUE, index.memoryBytes()))
                .buildAsync();
    }

    /// Fails with `storage-unavailable`.
    public CompletableFuture<ShardIndex> of(SealedShard shard) {
        return indexes.get(shard.indexSha256(), (_, _) -> load(shard));
    }

    /// The same, without a place in the cache: for those who pass through all shards of a split.
    CompletableFuture<ShardIndex> passing(SealedShard shard) {
        var held = indexes.getIfPresent(shard.indexSha256());
        return held != null ? held : load(shard);
    }

    private CompletableFuture<ShardIndex> load(SealedShard shard) {
        return Answers.of(executor, ProblemType.STORAGE_UNAVAILABLE, () -> read(shard));
    }

    private ShardIndex read(SealedShard shard) throws IOException {
        var key = ObjectKeys.index(shard.home());
        var bytes = store.read(key, shard.indexBytes());
        if (!Digests.sha256Hex(bytes).equals(shard.indexSha256())) {
            throw new CorruptFormatException(key, "shard index", "its SHA-256 is not the one it was sealed with");
        }
        var index = ShardIndexFormat.decode(key, bytes);
        if (!index.shardSha256().equals(shard.sha256())
                || index.shardBytes() != shard.bytes()
                || index.sampleCount() != shard.samples()) {
            throw new CorruptFormatException(key, "shard index", "it is of another shard");
        }
        return index;
    }
}
