package io.tarpon.ingest.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// A folder for scratch files, and the number of bytes that those of one plan may have together.
///
/// A scratch file has no name once it is open: a crash at any point leaves nothing behind, and several
/// processes may share the folder. Safe for several threads; the numbers are atomic.
public final class SpoolArea {
    private final Path folder;
    private final long capacityBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong allBytes;

    /// Makes the folder, for this user alone, where it is missing.
    public SpoolArea(Path folder, long capacityBytes) throws IOException {
        if (!folder.isAbsolute()) {
            throw new IllegalArgumentException("tarpon.ingest.spool-dir=" + folder + " is not an absolute path");
        }
        this.folder = folder;
        this.capacityBytes = capacityBytes;
        this.allBytes = new AtomicLong();
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (!Files.isWritable(folder)) {
            throw new IOException("tarpon.ingest.spool-dir=" + folder + " cannot be written");
        }
    }

    private SpoolArea(SpoolArea of) {
        this.folder = of.folder;
        this.capacityBytes = of.capacityBytes;
        this.allBytes = of.allBytes;
    }

    /// As much room again in the same folder, counted by itself: one plan must not fail for what another takes.
    public SpoolArea ofOnePlan() {
        return new SpoolArea(this);
    }

    /// Bytes in scratch files now, those of single plans included.
    public long usedBytes() {
        return allBytes.get();
    }

    SpoolFile create() throws SpoolException {
        try {
            var path = folder.resolve("spool-" + UUID.randomUUID());
            var channel = FileChannel.open(
                    path,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            return new SpoolFile(this, channel);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    void take(long bytes) throws SpoolException {
        if (usedBytes.addAndGet(bytes) > capacityBytes) {
            usedBytes.addAndGet(-bytes);
            throw new SpoolException("the spool is full: planning needs more than the " + capacityBytes
                    + " bytes of tarpon.ingest.spool-capacity in " + folder + "; raise it");
        }
        allBytes.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        allBytes.addAndGet(-bytes);
        usedBytes.addAndGet(-bytes);
    }

    SpoolException failed(IOException e) {
        return new SpoolException("the spool in " + folder + " failed: " + e.getMessage(), e);
    }
}
