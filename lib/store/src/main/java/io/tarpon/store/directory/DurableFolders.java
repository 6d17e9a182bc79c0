package io.tarpon.store.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Folders whose entries survive a power cut.
final class DurableFolders {
    private DurableFolders() {}

    /// Makes the folder and those above it that are missing, each entry forced to disk.
    static void make(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent == null) {
            throw new IOException("cannot make the folder " + folder);
        }
        make(parent);
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
        force(parent);
    }

    /// Afterwards the entries of these folders, from one up to a root of it, survive. All of them, since a folder
    /// found there may have been made a moment ago by somebody who has not forced it yet. One that was removed
    /// meanwhile needs nothing.
    static void forceUpTo(Path root, Path folder) throws IOException {
        for (Path at = folder; at != null && at.startsWith(root); at = at.getParent()) {
            try {
                force(at);
            } catch (NoSuchFileException e) {
                // Removed; the folder above says so.
            }
        }
    }

    private static void force(Path folder) throws IOException {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
