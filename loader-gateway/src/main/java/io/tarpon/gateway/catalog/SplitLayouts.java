package io.tarpon.gateway.catalog;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.disk.UnnamedFiles;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Where every byte and every sample of sealed splits is: the one place that all reads ask, whether by shard, by
/// ordinal or for a whole epoch. A single shard or sample never waits for the layouts of its split's other shards.
///
/// Layouts of whole splits are kept up to a number of bytes: their columns in files, where there are any, and on the
/// heap a little for each shard and block; or all on the heap. A split that alone would need more is refused, with
/// what it needs.
///
/// A layout that had to go lives on while a stream reads by it. Then its columns still count in [UnnamedFiles],
/// but what of it is on the heap is in no bound: streams of many splits that do not fit together can hold more
/// than the cache.
///
/// The least recently used goes first, and never the one that was just loaded: a split that takes a minute to load and
/// were dropped for another's popularity would never be ready.
///
/// Threads: any, under this object's lock. One split is loaded once, whoever waits for it.
public final class SplitLayouts {
    /// Parts of a bound that weights are given in.
    static final long WHOLE = 1 << 20;

    private final Indexes indexes;
    private final ShardLayouts single;
    private final Executor executor;
    private final long maxHeapBytes;
    private final Optional<UnnamedFiles> files;

    /// By version and split: one of equal content lies under keys of its own, and those of a removed one are gone. The
    /// least recently used first.
    private final LinkedHashMap<String, CompletableFuture<SplitLayout>> layouts = new LinkedHashMap<>(16, 0.75f, true);

    /// @param single of shards whose split is not at hand
    /// @param executor its threads wait for shard indexes; as many splits are loaded at once as it has threads
    /// @param files absent: columns stay on the heap
    public SplitLayouts(
            Indexes indexes, ShardLayouts single, Executor executor, long maxHeapBytes, Optional<UnnamedFiles> files) {
        this.indexes = indexes;
        this.single = single;
        this.executor = executor;
        this.maxHeapBytes = maxHeapBytes;
        this.files = files;
    }

    /// Fails with `storage-unavailable`, or `insufficient-storage` where the split is too large for memory or disk.
    public CompletableFuture<SplitLayout> of(SplitShards shards) {
        var key = key(shards);
        CompletableFuture<SplitLayout> asked;
        synchronized (this) {
            var known = layouts.get(key);
            if (known != null) {
                return known;
            }
            asked = new CompletableFuture<>();
            layouts.put(key, asked);
        }
        var _ = CompletableFuture.supplyAsync(
                        () -> new SplitLoad(indexes, shards, maxHeapBytes, files).layout(), executor)
                .whenComplete((layout, failure) -> settle(key, asked, layout, failure));
        return asked;
    }

    /// Where everything in one shard is: at once where it is at hand. Fails with `storage-unavailable`.
    public CompletableFuture<LaidOutShard> shard(SplitShards shards, int number) {
        CompletableFuture<SplitLayout> split;
        synchronized (this) {
            split = layouts.get(key(shards));
        }
        return split != null && split.state() == CompletableFuture.State.SUCCESS
                ? CompletableFuture.completedFuture(split.resultNow().shard(number))
                : single.of(shards.shard(number));
    }

    /// The same for one sample.
    ///
    /// @param ordinal of a sample that the split has
    public CompletableFuture<SplitLayout.Sample> sample(SplitShards shards, long ordinal) {
        var number = shards.shardOf(ordinal).orElseThrow();
        var inside = (int) (ordinal - shards.firstSample(number));
        return shard(shards, number).thenApply(shard -> new SplitLayout.Sample(shard, inside));
    }

    private static String key(SplitShards shards) {
        return shards.versionName() + "/" + shards.split();
    }

    private void settle(
            String key,
            CompletableFuture<SplitLayout> asked,
            @Nullable SplitLayout layout,
            @Nullable Throwable failure) {
        if (layout == null) {
            synchronized (this) {
                layouts.remove(key);
            }
            asked.completeExceptionally(
                    failure instanceof CompletionException wrapped && wrapped.getCause() != null
                            ? wrapped.getCause()
                            : Objects.requireNonNull(failure));
        } else {
            asked.complete(layout);
            makeRoom(key);
        }
    }

    private synchronized void makeRoom(String loaded) {
        var sum = layouts.values().stream().mapToLong(this::weight).sum();
        var oldest = layouts.entrySet().iterator();
        while (sum > WHOLE && oldest.hasNext()) {
            var entry = oldest.next();
            var weight = weight(entry.getValue());
            if (weight > 0 && !entry.getKey().equals(loaded)) {
                sum -= weight;
                oldest.remove();
            }
        }
    }

    /// 0 while it is loaded.
    private long weight(CompletableFuture<SplitLayout> asked) {
        return asked.state() == CompletableFuture.State.SUCCESS ? weight(asked.resultNow()) : 0;
    }

    /// The larger of its parts of the two bounds, so that what is kept together passes neither.
    private long weight(SplitLayout layout) {
        var heap = share(layout.memoryBytes(), maxHeapBytes);
        var file = files.map(to -> share(layout.fileBytes(), to.maxBytes())).orElse(0L);
        return Math.max(heap, file);
    }

    static long share(long bytes, long most) {
        return Math.ceilDiv(Math.multiplyExact(bytes, WHOLE), most);
    }
}
