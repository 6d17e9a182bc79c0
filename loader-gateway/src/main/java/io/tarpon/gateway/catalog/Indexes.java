package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexFormat;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Shard indexes from the object store, each checked against the digest it was sealed with. They are for the names of
/// samples, and for taking layouts out of them; where bytes are is asked of [SplitLayouts]. Those in which keys were
/// found are kept, up to a number of bytes.
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

    /// Keeps it. Fails with `storage-unavailable`.
    CompletableFuture<ShardIndex> kept(SealedShard shard) {
        return indexes.get(shard.indexSha256(), (_, _) -> loading(shard));
    }

    /// Keeps one that passed by.
    void keep(SealedShard shard, ShardIndex index) {
        indexes.put(shard.indexSha256(), CompletableFuture.completedFuture(index));
    }

    /// The same as [#kept] without a place in the cache.
    public CompletableFuture<ShardIndex> passing(SealedShard shard) {
        var held = indexes.getIfPresent(shard.indexSha256());
        return held != null ? held : loading(shard);
    }

    private CompletableFuture<ShardIndex> loading(SealedShard shard) {
        return Answers.of(executor, ProblemType.STORAGE_UNAVAILABLE, () -> load(shard));
    }

    /// The same as [#passing] on a thread that may block on the object store.
    ShardIndex read(SealedShard shard) throws IOException {
        var held = indexes.getIfPresent(shard.indexSha256());
        return held != null && held.state() == CompletableFuture.State.SUCCESS ? held.resultNow() : load(shard);
    }

    private ShardIndex load(SealedShard shard) throws IOException {
        var key = shard.indexKey();
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
