package io.tarpon.gateway.catalog;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.disk.UnnamedFiles;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/// One split's way from the object store to a layout: a few shards at a time, the columns of each batch into a file
/// before the next is asked for, where there are files. What files do not take stays on the heap while that bears it.
/// What is loaded when it fails is dropped.
///
/// One thread, which waits for those that read.
final class SplitLoad {
    private static final Logger LOG = Logger.getLogger(SplitLoad.class);
    private static final int AT_ONCE = 8;

    /// What decoding an index holds, in its own bytes: itself, its columns, and its canonical form beside it.
    private static final int DECODING = 6;

    /// Columns that wait for their file: many small shards share one.
    private static final long PIECE_BYTES = 4 << 20;

    /// Place, CRC, and the size of one member.
    private static final long LEAST_BYTES_A_SAMPLE = 12;

    private final Indexes indexes;
    private final SplitShards shards;
    private final long maxHeapBytes;
    private final Optional<UnnamedFiles> files;
    private final List<LaidOutShard> loaded = new ArrayList<>();

    /// How many of them have their columns in files.
    private int moved;

    private long heapBytes;
    private long fileBytes;
    private long waitingBytes;

    SplitLoad(Indexes indexes, SplitShards shards, long maxHeapBytes, Optional<UnnamedFiles> files) {
        this.indexes = indexes;
        this.shards = shards;
        this.maxHeapBytes = maxHeapBytes;
        this.files = files;
    }

    SplitLayout layout() {
        var least = LEAST_BYTES_A_SAMPLE * shards.samples();
        if (files.isPresent()) {
            requireFile(least);
        } else {
            requireHeap(least);
        }
        while (loaded.size() < shards.count()) {
            loadSome();
            if (files.isPresent() && (waitingBytes >= PIECE_BYTES || loaded.size() == shards.count())) {
                move(files.get());
            }
            requireFile(fileBytes + waitingBytes);
            requireHeap(heapBytes - (files.isPresent() ? waitingBytes : 0));
        }
        var layout = new SplitLayout(loaded, fileBytes);
        requireHeap(layout.memoryBytes());
        return layout;
    }

    private void loadSome() {
        List<CompletableFuture<LaidOutShard>> some = new ArrayList<>();
        long decoding = 0;
        for (int number = loaded.size(); number < shards.count() && some.size() < AT_ONCE; number++) {
            var shard = shards.shard(number);
            decoding += (long) DECODING * shard.indexBytes();
            if (decoding > maxHeapBytes && !some.isEmpty()) {
                break;
            }
            some.add(indexes.passing(shard).thenApply(index -> new LaidOutShard(shard, index.layout())));
        }
        for (var shard : some) {
            var laidOut = shard.join();
            loaded.add(laidOut);
            heapBytes += laidOut.memoryBytes();
            waitingBytes += laidOut.layout().columnBytes();
        }
    }

    private void move(UnnamedFiles to) {
        var waiting = loaded.subList(moved, loaded.size());
        try {
            var columns = to.move(columns(waiting)).asIntBuffer();
            waiting.replaceAll(shard -> shard.over(shard.layout().over(columns)));
        } catch (IOException e) {
            if (heapBytes <= maxHeapBytes) {
                LOG.warnf("columns stay on the heap split=%s/%s error=%s", shards.versionName(), shards.split(), e);
                moved = loaded.size();
                waitingBytes = 0;
                return;
            }
            throw new TarponException(
                    ProblemType.INSUFFICIENT_STORAGE,
                    "where the samples of " + shards.versionName() + "/" + shards.split()
                            + " are cannot be kept below tarpon.gateway.dir: " + e.getMessage(),
                    e);
        }
        moved = loaded.size();
        fileBytes += waitingBytes;
        heapBytes -= waitingBytes;
        waitingBytes = 0;
    }

    private ByteBuffer columns(List<LaidOutShard> waiting) {
        var bytes = ByteBuffer.allocate(Math.toIntExact(waitingBytes)).order(ByteOrder.nativeOrder());
        var columns = bytes.asIntBuffer();
        waiting.forEach(shard -> shard.layout().copyColumns(columns));
        return bytes;
    }

    private void requireFile(long needed) {
        files.map(UnnamedFiles::maxBytes).filter(most -> needed > most).ifPresent(most -> {
            throw tooLarge(needed, "of disk", most, "raise tarpon.gateway.layout-files");
        });
    }

    private void requireHeap(long needed) {
        if (needed > maxHeapBytes) {
            var without = files.isPresent() ? "" : "set tarpon.gateway.dir, or ";
            throw tooLarge(needed, "of heap", maxHeapBytes, without + "raise tarpon.gateway.layout-cache and the heap");
        }
    }

    private TarponException tooLarge(long needed, String what, long most, String remedy) {
        var all = loaded.isEmpty() ? needed : needed / loaded.size() * shards.count();
        return new TarponException(
                ProblemType.INSUFFICIENT_STORAGE,
                "an epoch of " + shards.versionName() + " with its " + shards.samples() + " samples needs about "
                        + (all >> 20) + " MiB " + what + " to know where they are, and may have " + (most >> 20) + "; "
                        + remedy);
    }
}
