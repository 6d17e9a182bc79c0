package io.tarpon.cluster.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// Files that are there whole or not at all, and that only their owner reads.
public final class AtomicFile {
    /// Temporary files are named so; one that a crash left behind means nothing.
    static final String TEMPORARY_SUFFIX = ".tmp";

    private AtomicFile() {}

    /// Afterwards the file holds exactly these bytes. It is never seen empty, half written or readable by
    /// others: it gets its rights when its temporary file is created, its bytes before its name.
    public static void write(Path file, byte[] bytes) throws IOException {
        var temporary = Files.createTempFile(
                file.getParent(),
                file.getFileName() + ".",
                TEMPORARY_SUFFIX,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            try (var channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                var buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
