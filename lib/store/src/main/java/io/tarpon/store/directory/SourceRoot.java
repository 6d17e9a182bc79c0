package io.tarpon.store.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The folder of a source, known again by its device and inode.
///
/// Where its file system is not mounted, every object looks removed: who misses one asks here before saying so. Safe
/// for several threads: the identity is written by the first look that finds a folder; two first looks that find
/// different ones leave either, and the other is then told as another folder.
final class SourceRoot {
    private static final Object NO_IDENTITY = "a file system without file keys";

    private final Path path;
    private volatile @Nullable Object identity;

    SourceRoot(Path path) {
        this.path = path;
        try {
            remember(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (IOException e) {
            // What is the matter shows when something is read.
        }
    }

    Path path() {
        return path;
    }

    /// Afterwards the folder is, or was a moment ago, there and the one that was first seen.
    ///
    /// @throws NoSuchFileException when it is missing and was never seen
    /// @throws NotDirectoryException when it is no folder and never was
    /// @throws IOException when it was seen and is missing or another now, which may pass
    void requireThere() throws IOException {
        BasicFileAttributes now;
        try {
            now = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            throw identity == null ? new NoSuchFileException(path.toString(), null, "there is no such folder") : away();
        }
        if (identity == null) {
            remember(now);
        }
        if (identity == null) {
            throw new NotDirectoryException(path + ": a source must be a folder");
        }
        if (!now.isDirectory() || !identityOf(now).equals(identity)) {
            throw away();
        }
    }

    IOException away() {
        return new IOException("the folder of the source is not there, or is another: " + path);
    }

    private void remember(BasicFileAttributes now) {
        if (now.isDirectory()) {
            identity = identityOf(now);
        }
    }

    private static Object identityOf(BasicFileAttributes attributes) {
        return Objects.requireNonNullElse(attributes.fileKey(), NO_IDENTITY);
    }
}
