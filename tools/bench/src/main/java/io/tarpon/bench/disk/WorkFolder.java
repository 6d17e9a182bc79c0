package io.tarpon.bench.disk;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.console.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The throw-away folder of one run; closing it deletes it and all in it.
public final class WorkFolder implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path folder;

    private WorkFolder(Path folder) {
        this.folder = folder;
    }

    /// A new folder in `parent`, which only this user may look into.
    public static WorkFolder in(Path parent) {
        try {
            return new WorkFolder(Files.createTempDirectory(parent.toAbsolutePath(), "tarpon-bench-"));
        } catch (IOException e) {
            throw CommandFailure.failed("cannot make a folder in " + parent + ": " + e, "name another one with --dir");
        }
    }

    public Path path() {
        return folder;
    }

    /// A folder in it, made where it is missing.
    public Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    public void requireRoom(long bytes, String what) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < bytes) {
            throw CommandFailure.failed(
                    what + " needs " + Sizes.human(bytes) + " in " + folder + ", which has " + Sizes.human(free),
                    "name another folder with --dir, or measure less with --quick");
        }
    }

    public static void write(Path file, String text) throws IOException {
        Files.createDirectories(parent(file));
        Files.writeString(file, text);
    }

    /// Writes all of `bytes` and returns their CRC-32C.
    public static int write(Path file, InputStream bytes) throws IOException {
        Files.createDirectories(parent(file));
        var crc = new CRC32C();
        var buffer = new byte[BUFFER_BYTES];
        try (var out = Files.newOutputStream(file)) {
            for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
                crc.update(buffer, 0, read);
                out.write(buffer, 0, read);
            }
        }
        return (int) crc.getValue();
    }

    private static Path parent(Path file) {
        var parent = file.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " is in no folder");
        }
        return parent;
    }

    public static long size(Path file) throws IOException {
        return Files.size(file);
    }

    /// Deletes the file, or the folder with all in it; that there is none is no error.
    public static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void close() {
        try {
            delete(folder);
        } catch (IOException e) {
            throw CommandFailure.failed("cannot delete " + folder + ": " + e, "delete it by hand");
        }
    }
}
