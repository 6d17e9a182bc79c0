package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.disk.UnnamedFiles;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.index.ShardLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/// The layouts of single shards, for reads that need no whole split: kept up to a number of bytes, their columns in
/// files, where there are any, and on the heap a little for each; or all on the heap. An index is in memory only while
/// its layout is taken out of it.
///
/// Threads: any. One layout is made once, whoever waits for it.
public final class ShardLayouts {
    private static final Logger LOG = Logger.getLogger(ShardLayouts.class);

    /// Columns of fewer bytes stay on the heap: a mapping is a page at least.
    private static final long LEAST_FILE_BYTES = 4 << 10;

    private final Indexes indexes;
    private final Executor executor;
    private final long maxHeapBytes;
    private final Optional<UnnamedFiles> files;
    private final AsyncCache<ShardRef, LaidOutShard> layouts;

    /// @param executor its threads block on the object store, and write files
    /// @param files absent: columns stay on the heap
    public ShardLayouts(Indexes indexes, Executor executor, long maxHeapBytes, Optional<UnnamedFiles> files) {
        this.indexes = indexes;
        this.executor = executor;
        this.maxHeapBytes = maxHeapBytes;
        this.files = files;
        this.layouts = Caffeine.newBuilder()
                .maximumWeight(SplitLayouts.WHOLE)
                .<ShardRef, LaidOutShard>weigher((_, shard) -> weight(shard))
                .buildAsync();
    }

    /// Fails with `storage-unavailable`.
    CompletableFuture<LaidOutShard> of(SealedShard shard) {
        return layouts.get(
                shard.ref(),
                (_, _) -> Answers.of(
                        executor,
                        ProblemType.STORAGE_UNAVAILABLE,
                        () -> new LaidOutShard(
                                shard, placed(shard, indexes.read(shard).layout()))));
    }

    /// The larger of its parts of the two bounds, so that what is kept together passes neither.
    private int weight(LaidOutShard shard) {
        var heap = SplitLayouts.share(shard.memoryBytes(), maxHeapBytes);
        var mapped = shard.layout().isMapped() ? shard.layout().columnBytes() : 0;
        var file = files.map(to -> SplitLayouts.share(mapped, to.maxBytes())).orElse(0L);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(heap, file));
    }

    private ShardLayout placed(SealedShard shard, ShardLayout layout) {
        var bytes = layout.columnBytes();
        if (files.isEmpty() || bytes < LEAST_FILE_BYTES) {
            return layout;
        }
        try {
            var columns = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
            layout.copyColumns(columns.asIntBuffer());
            return layout.over(files.get().moveNow(columns).asIntBuffer());
        } catch (IOException e) {
            LOG.debugf("columns stay on the heap shard=%s error=%s", shard.ref(), e);
            return layout;
        }
    }
}
