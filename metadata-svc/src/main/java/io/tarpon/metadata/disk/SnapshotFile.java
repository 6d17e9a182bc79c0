package io.tarpon.metadata.disk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// A snapshot that somebody brought, as a file.
public final class SnapshotFile {
    private SnapshotFile() {}

    public static InputStream open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no file " + file.toAbsolutePath() + " to restore from");
        }
        return Files.newInputStream(file);
    }

    public static long bytes(Path file) throws IOException {
        return Files.size(file);
    }
}
