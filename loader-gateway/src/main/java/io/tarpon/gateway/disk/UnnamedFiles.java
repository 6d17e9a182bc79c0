package io.tarpon.gateway.disk;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Bytes in files that have no name: memory beside the heap, which the kernel may write out.
///
/// A file is made, loses its name at once, is filled through its channel, synced, mapped and closed. So nobody can cut
/// it under the mapping, a full or failing disk is an exception of the writer and not a fault of a reader, and a crash
/// leaves nothing but, between the first two steps, an empty file that the next start removes. The disk has its blocks
/// back when the last buffer over the mapping is gone and the collector saw that. Until then its bytes count, whoever
/// holds it: caches, and streams that use what caches had to let go.
///
/// What is mapped is not checked again. Readers want it in the page cache: where the kernel had to drop it, a read
/// waits for the disk, and where the disk cannot give it back, the read fails with an [InternalError].
///
/// Threads: any, but none that must not block.
public final class UnnamedFiles {
    /// What is left free for those who share the disk.
    private static final long KEEP_FREE = 64L << 20;

    private static final int WRITE_BYTES = 128 << 10;
    private static final long COLLECTION_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final String PREFIX = "unnamed-";
    private static final String SUFFIX = ".tmp";

    private final Path folder;
    private final long maxBytes;
    private final long keepFree;
    private final Cleaner cleaner = Cleaner.create();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong collectedAt = new AtomicLong(System.nanoTime() - COLLECTION_NANOS);

    UnnamedFiles(Path folder, long maxBytes, long keepFree) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.keepFree = keepFree;
    }

    /// Makes the folder where there is none, and removes what a crash left.
    ///
    /// @param maxBytes of what is kept. What is being made, and what streams still use, may take as much again
    public static UnnamedFiles open(Path folder, long maxBytes) throws IOException {
        Files.createDirectories(folder);
        try (var left = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
            for (var file : left) {
                Files.deleteIfExists(file);
            }
        }
        return new UnnamedFiles(folder, maxBytes, KEEP_FREE);
    }

    /// Bytes that may be kept.
    public long maxBytes() {
        return maxBytes;
    }

    /// Bytes on disk now.
    public long takenBytes() {
        return taken.get();
    }

    /// The same bytes, from 0 to the capacity, read-only and in native order. After an exception none are on disk.
    /// Where there is no room, waits up to 2 s for what is not used any more.
    ///
    /// @param bytes on the heap
    public ByteBuffer move(ByteBuffer bytes) throws IOException {
        return move(bytes, true);
    }

    /// The same without waiting.
    public ByteBuffer moveNow(ByteBuffer bytes) throws IOException {
        return move(bytes, false);
    }

    private ByteBuffer move(ByteBuffer bytes, boolean waits) throws IOException {
        long size = bytes.capacity();
        take(size, waits);
        MappedByteBuffer mapped;
        try {
            mapped = map(bytes.duplicate().clear());
        } catch (IOException | RuntimeException | Error e) {
            taken.addAndGet(-size);
            throw e;
        }
        var count = taken;
        cleaner.register(mapped, () -> count.addAndGet(-size));
        return mapped.order(ByteOrder.nativeOrder());
    }

    private MappedByteBuffer map(ByteBuffer from) throws IOException {
        Files.createDirectories(folder);
        var bytes = from.capacity();
        var free = folder.toFile().getUsableSpace();
        if (free - bytes < keepFree) {
            throw new IOException(folder + " has " + (free >> 20) + " MiB free, of which " + (keepFree >> 20)
                    + " stay free, and " + (bytes >> 20) + " more are needed");
        }
        var file = Files.createTempFile(folder, PREFIX, SUFFIX);
        try (var channel = FileChannel.open(file, READ, WRITE)) {
            Files.delete(file);
            while (from.position() < bytes) {
                channel.write(from.limit(Math.min(bytes, from.position() + WRITE_BYTES)));
            }
            channel.force(false);
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        }
    }

    /// Only the collector knows which mappings are in use. It is asked once a second at most, because all threads wait
    /// for it.
    private void take(long bytes, boolean waits) throws IOException {
        var began = System.nanoTime();
        for (var before = taken.get(); !tryTake(before, bytes); before = taken.get()) {
            if (before + bytes <= 2 * maxBytes) {
                continue;
            }
            if (!waits || System.nanoTime() - began > PATIENCE_NANOS) {
                throw new IOException((before >> 20) + " MiB below " + folder + " are in use, and with " + (bytes >> 20)
                        + " more they pass twice the " + (maxBytes >> 20) + " that may be kept");
            }
            collect();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean tryTake(long before, long bytes) {
        return before + bytes <= 2 * maxBytes && taken.compareAndSet(before, before + bytes);
    }

    private void collect() {
        var now = System.nanoTime();
        var before = collectedAt.get();
        if (now - before >= COLLECTION_NANOS && collectedAt.compareAndSet(before, now)) {
            System.gc();
        }
    }
}
