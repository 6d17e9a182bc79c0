package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A data folder whose block files cannot be opened any more, as on a device that hangs: at each name lies a named pipe
/// that nobody writes to, and the system call that opens it does not return, in the same thread and as uninterruptible
/// for Java as a dead disk. What the node uses to find out whether the disk is well hangs alike. It ends with [#close].
final class HungFolder implements AutoCloseable {
    private final Map<Path, Path> moved = new HashMap<>();
    private final List<Path> pipes = new ArrayList<>();
    private final Path probe;

    HungFolder(Path folder) throws Exception {
        var aside = Files.createDirectories(folder.resolveSibling(folder.getFileName() + ".aside"));
        try (var all = Files.walk(folder)) {
            for (var file : all.filter(path -> path.toString().endsWith(".blk")).toList()) {
                moved.put(file, Files.move(file, aside.resolve(file.getFileName())));
                hang(aside, file);
            }
        }
        probe = folder.resolve(".probe");
        hang(aside, probe);
    }

    /// Replaces the pipe by what was there, and lets those go who hang in it.
    @Override
    public void close() throws IOException {
        for (var file : moved.entrySet()) {
            Files.move(file.getValue(), file.getKey(), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(probe);
        for (var pipe : pipes) {
            // For reading and writing the system opens a pipe at once, and so for all who wait for the other end.
            FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
        }
    }

    private void hang(Path aside, Path file) throws Exception {
        var pipe = aside.resolve("pipe-" + pipes.size());
        var made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start();
        assertThat(made.waitFor()).isZero();
        pipes.add(pipe);
        Files.deleteIfExists(file);
        Files.createLink(file, pipe);
    }
}
