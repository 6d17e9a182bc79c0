package io.tarpon.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A disk that is full: a tmpfs of a few MiB in a mount namespace of the process that works on it. Where the system
/// gives ordinary users no namespaces there is none, and a test says that it is skipped.
public final class FullDisk {
    private static final long SECONDS = 10;
    private static final long MOST_SECONDS = 60;

    private FullDisk() {}

    /// Whether such a disk can be had here.
    public static boolean isToBeHad() throws IOException, InterruptedException {
        var process = new ProcessBuilder("unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /// The command with such a disk at that folder, which nobody else sees.
    ///
    /// @param options of the tmpfs: `size=16m`
    public static List<String> under(Path folder, String options, List<String> command) throws IOException {
        var mount = "mount -t tmpfs -o " + options + ",mode=700 tmpfs '" + Files.createDirectories(folder)
                + "' && exec \"$@\"";
        var all = new ArrayList<>(List.of("unshare", "-Urm", "sh", "-c", mount, "sh"));
        all.addAll(command);
        return List.copyOf(all);
    }

    /// Runs a command on such a disk to its end; returns what it said, line by line.
    ///
    /// @param options of the tmpfs: `size=16m`
    /// @param errors a file for its standard error
    public static List<String> said(Path folder, String options, List<String> command, Path errors)
            throws IOException, InterruptedException {
        var process = new ProcessBuilder(under(folder, options, command))
                .redirectError(errors.toFile())
                .start();
        try {
            var said = process.inputReader(StandardCharsets.UTF_8).lines().toList();
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("it said all and did not end: " + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    /// Writes a file until nothing more fits; returns what the system said then.
    public static String fill(Path ballast) {
        try (var out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException full) {
            return String.valueOf(full.getMessage());
        }
    }
}
