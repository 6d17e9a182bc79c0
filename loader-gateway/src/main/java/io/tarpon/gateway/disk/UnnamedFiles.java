package io.tarpon.gateway.disk;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Bytes in files that have no name: memory beside the heap, which the kernel may write out.
///
/// A file is made, loses its name at once, is filled through its channel, mapped and closed. So nobody can cut it under
/// the mapping, a full disk is an exception of the writer and not a fault of a reader, and a crash leaves nothing but,
/// between the first two steps, an empty file that the next start removes. The disk has its blocks back when the last
/// buffer over the mapping is gone and the collector saw that. Until then its bytes count, whoever holds it: caches,
/// and streams that use what caches had to let go. What is mapped is not checked again, as no memory is.
///
/// Threads: any, but none that must not block.
public final class UnnamedFiles {
    /// What is left free for those who share the disk.
    private static final long KEEP_FREE = 64L << 20;

    private static final int WRITE_BYTES = 128 << 10;
    private static final int COLLECTIONS = 5;
    private static final long COLLECTION_NANOS = 20_000_000;
    private static final String PREFIX = "unnamed-";
    private static final String SUFFIX = ".tmp";

    private final Path folder;
    private final long maxBytes;
    private final long keepFree;
    private final Cleaner cleaner = Cleaner.create();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong number = new AtomicLong();

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
    ///
    /// @param bytes on the heap
    public ByteBuffer move(ByteBuffer bytes) throws IOException {
        long size = bytes.capacity();
        take(size);
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
        var bytes = from.capacity();
        var free = folder.toFile().getUsableSpace();
        if (free - bytes < keepFree) {
            throw new IOException(folder + " has " + (free >> 20) + " MiB free, of which " + (keepFree >> 20)
                    + " stay free, and " + (bytes >> 20) + " more are needed");
        }
        var file = folder.resolve(PREFIX + ProcessHandle.current().pid() + "-" + number.getAndIncrement() + SUFFIX);
        try (var channel = FileChannel.open(file, CREATE_NEW, READ, WRITE)) {
            Files.deleteIfExists(file);
            while (from.position() < bytes) {
                channel.write(from.limit(Math.min(bytes, from.position() + WRITE_BYTES)));
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        }
    }

    /// Waits for the collector where nothing else is in the way: only it knows which mappings are in use.
    private void take(long bytes) throws IOException {
        for (int collections = 0; taken.addAndGet(bytes) > 2 * maxBytes; collections++) {
            var before = taken.addAndGet(-bytes);
            if (collections == COLLECTIONS) {
                throw new IOException((before >> 20) + " MiB below " + folder + " are in use, and with " + (bytes >> 20)
                        + " more they pass twice the " + (maxBytes >> 20) + " that may be kept");
            }
            System.gc();
            LockSupport.parkNanos(COLLECTION_NANOS);
        }
    }
}
