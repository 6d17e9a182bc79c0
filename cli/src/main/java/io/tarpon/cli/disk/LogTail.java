package io.tarpon.cli.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The last lines of a log file.
public final class LogTail {
    private static final int TAIL_BYTES = 256 << 10;

    private final Path file;

    public LogTail(Path file) {
        this.file = file;
    }

    /// At most `count` lines from the end; none where the file does not exist.
    public List<String> last(int count) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (var access = new RandomAccessFile(file.toFile(), "r")) {
            var bytes = new byte[(int) Math.min(TAIL_BYTES, access.length())];
            access.seek(access.length() - bytes.length);
            access.readFully(bytes);
            var lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        }
    }
}
