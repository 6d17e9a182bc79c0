package io.tarpon.cluster.disk;

import io.tarpon.cluster.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The folders that the functions may read, one a line in a file of the state folder: whoever may write that
/// file decides what may be read. The file is replaced whole, so that no reader meets the beginning of a line,
/// which would be another folder.
final class DirectoryRoots {
    private final Path file;

    DirectoryRoots(Path file) {
        this.file = file;
    }

    /// Lets the functions read below `folder`, a real path. The caller holds the lock of the state folder.
    void allow(Path folder) throws IOException {
        var line = folder.toString();
        if (line.codePoints().anyMatch(Character::isISOControl)) {
            throw CommandFailure.failed(
                    "the path " + folder + " has a control character, which a list of folders cannot hold",
                    "rename the folder");
        }
        var lines = new ArrayList<>(completeLines());
        if (!lines.contains(line)) {
            lines.add(line);
            write(lines);
        }
    }

    /// Takes back what [#allow] gave; nothing where it did not. The caller holds the lock of the state folder.
    void forbid(Path folder) throws IOException {
        var lines = new ArrayList<>(completeLines());
        if (lines.remove(folder.toString())) {
            write(lines);
        }
    }

    private void write(List<String> lines) throws IOException {
        var text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /// A line counts once its newline is there.
    private List<String> completeLines() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        var text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }
}
