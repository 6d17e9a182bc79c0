package io.tarpon.cli.disk;

import io.tarpon.cluster.CommandFailure;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A folder below the system's temporary one that only its owner reads, for as long as a command needs it.
public final class ThrowAwayFolder {
    private ThrowAwayFolder() {}

    public static Path make(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw CommandFailure.failed("cannot make a temporary folder: " + e, "check the free space, or set TMPDIR");
        }
    }

    /// Deletes it with all that is in it; links are not followed.
    public static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                        throws IOException {
                    if (failure != null) {
                        throw failure;
                    }
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw CommandFailure.failed("cannot delete " + folder + ": " + e, "delete it by hand");
        }
    }
}
