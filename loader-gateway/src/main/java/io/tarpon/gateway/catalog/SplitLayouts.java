package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/// The layouts of whole splits, kept up to a number of bytes. A split that alone would need more is refused, with what
/// it needs.
///
/// Threads: any. One split is loaded once, whoever waits for it.
public final class SplitLayouts {
    private static final int AT_ONCE = 8;

    private final Indexes indexes;
    private final Executor executor;
    private final long maxBytes;

    /// By version and split: one of equal content lies under keys of its own, and those of a removed one are gone.
    private final AsyncCache<String, SplitLayout> layouts;

    /// @param executor its threads wait for shard indexes; as many splits are loaded at once as it has threads
    public SplitLayouts(Indexes indexes, Executor executor, long maxBytes) {
        this.indexes = indexes;
        this.executor = executor;
        this.maxBytes = maxBytes;
        this.layouts = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .<String, SplitLayout>weigher((_, layout) -> (int) Math.min(Integer.MAX_VALUE, layout.memoryBytes()))
                .buildAsync();
    }

    /// Fails with `storage-unavailable`, or `insufficient-storage` where the split is too large for the memory.
    ///
    public CompletableFuture<SplitLayout> of(SplitShards shards) {
        return layouts.get(
                shards.versionName() + "/" + shards.split(),
                (_, _) -> CompletableFuture.supplyAsync(() -> load(shards), executor));
    }

    private SplitLayout load(SplitShards shards) {
        List<LaidOutShard> loaded = new ArrayList<>(shards.count());
        long bytes = 0;
        while (loaded.size() < shards.count()) {
            var from = loaded.size();
            var batch = IntStream.range(from, Math.min(shards.count(), from + AT_ONCE))
                    .mapToObj(number -> laidOut(shards, number))
                    .toList();
            for (var shard : batch) {
                loaded.add(shard.join());
                bytes += loaded.getLast().memoryBytes();
            }
            if (bytes > maxBytes) {
                throw tooLarge(shards, bytes / loaded.size() * shards.count());
            }
        }
        var layout = new SplitLayout(loaded);
        if (layout.memoryBytes() > maxBytes) {
            throw tooLarge(shards, layout.memoryBytes());
        }
        return layout;
    }

    private CompletableFuture<LaidOutShard> laidOut(SplitShards shards, int number) {
        var shard = shards.shard(number);
        return indexes.passing(shard).thenApply(index -> new LaidOutShard(shard, index.layout()));
    }

    private TarponException tooLarge(SplitShards shards, long needed) {
        return new TarponException(
                ProblemType.INSUFFICIENT_STORAGE,
                "an epoch of " + shards.versionName() + " with its " + shards.samples() + " samples needs about "
                        + (needed >> 20) + " MiB of heap to know where they are, and may have " + (maxBytes >> 20)
                        + "; raise tarpon.gateway.layout-cache and the heap");
    }
}
