package io.tarpon.chaos.disk;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.disk.AtomicFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/// Bytes of shards that were found to be right, by their SHA-256, to hold ranges against. Safe for several threads: a
/// file is there whole or not at all.
public final class KnownShards {
    private final Path folder;

    public KnownShards(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    public boolean has(String sha256) {
        return Files.exists(folder.resolve(sha256));
    }

    /// @param bytes whose SHA-256 was compared
    public void keep(String sha256, byte[] bytes) {
        try {
            AtomicFile.write(folder.resolve(sha256), bytes);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /// Bytes from `from` on.
    public byte[] range(String sha256, long from, int length) {
        try (var file = new RandomAccessFile(folder.resolve(sha256).toFile(), "r")) {
            var bytes = new byte[length];
            file.seek(from);
            file.readFully(bytes);
            return bytes;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private CommandFailure failure(IOException e) {
        return CommandFailure.failed("cannot use " + folder + ": " + e, "check its rights and the free space");
    }
}
