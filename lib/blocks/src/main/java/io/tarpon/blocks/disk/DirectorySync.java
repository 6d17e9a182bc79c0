package io.tarpon.blocks.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Makes directory entries durable: a created or renamed file survives a power cut only after its directory was synced.
public final class DirectorySync {
    private DirectorySync() {}

    /// After this returns, the entries of the directory are on disk. After an exception any of them may be lost.
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// Creates a directory whose parent exists, durably. Nothing happens where it is there.
    public static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Files.createDirectories(directory);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            sync(parent);
        }
    }
}
