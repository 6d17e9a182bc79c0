package io.tarpon.cluster.disk;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The last lines of a log file.
public final class LogTail {
    static final int TAIL_BYTES = 256 << 10;
    private static final int LINES_FOR_LAST_WORDS = 200;

    private final Path file;

    public LogTail(Path file) {
        this.file = file;
    }

    /// At most `count` whole lines from the last 256 KiB; none where the file does not exist.
    public List<String> last(int count) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (var access = new RandomAccessFile(file.toFile(), "r")) {
            var start = Math.max(0, access.length() - TAIL_BYTES);
            var bytes = new byte[(int) (access.length() - start)];
            access.seek(start);
            access.readFully(bytes);
            var lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
            // What lies before the first line end began before the tail did.
            var whole = start == 0 || lines.isEmpty() ? lines : lines.subList(1, lines.size());
            return whole.subList(Math.max(0, whole.size() - count), whole.size());
        }
    }

    /// What a process said last: its last line that is not a frame of a stack trace.
    public Optional<String> lastWords() {
        try {
            return last(LINES_FOR_LAST_WORDS).reversed().stream()
                    .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
