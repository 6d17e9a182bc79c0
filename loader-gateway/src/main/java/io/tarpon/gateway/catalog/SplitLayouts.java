package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.disk.UnnamedFiles;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// The layouts of whole splits, kept up to a number of bytes: their columns in files, where there are any, and on the
/// heap a little for each shard and block; or all on the heap. A split that alone would need more is refused, with
/// what it needs.
///
/// A layout that had to go lives on while a stream reads by it. Then its columns still count in [UnnamedFiles],
/// but what of it is on the heap is in no bound: streams of many splits that do not fit together can hold more
/// than the cache.
///
/// Threads: any. One split is loaded once, whoever waits for it.
public final class SplitLayouts {
    /// Parts of a bound that weights are given in.
    private static final long WHOLE = 1 << 20;

    private final Indexes indexes;
    private final Executor executor;
    private final long maxHeapBytes;
    private final Optional<UnnamedFiles> files;

    /// By version and split: one of equal content lies under keys of its own, and those of a removed one are gone.
    private final AsyncCache<String, SplitLayout> layouts;

    /// @param executor its threads wait for shard indexes; as many splits are loaded at once as it has threads
    /// @param files absent: columns stay on the heap
    public SplitLayouts(Indexes indexes, Executor executor, long maxHeapBytes, Optional<UnnamedFiles> files) {
        this.indexes = indexes;
        this.executor = executor;
        this.maxHeapBytes = maxHeapBytes;
        this.files = files;
        this.layouts = Caffeine.newBuilder()
                .maximumWeight(WHOLE)
                .<String, SplitLayout>weigher((_, layout) -> weight(layout))
                .buildAsync();
    }

    /// Fails with `storage-unavailable`, or `insufficient-storage` where the split is too large for memory or disk.
    public CompletableFuture<SplitLayout> of(SplitShards shards) {
        return layouts.get(
                shards.versionName() + "/" + shards.split(),
                (_, _) -> CompletableFuture.supplyAsync(
                        () -> new SplitLoad(indexes, shards, maxHeapBytes, files).layout(), executor));
    }

    /// The larger of its parts of the two bounds, so that what is kept together passes neither.
    private int weight(SplitLayout layout) {
        var heap = share(layout.memoryBytes(), maxHeapBytes);
        var file = files.map(to -> share(layout.fileBytes(), to.maxBytes())).orElse(0L);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(heap, file));
    }

    private static long share(long bytes, long most) {
        return Math.ceilDiv(Math.multiplyExact(bytes, WHOLE), most);
    }
}
