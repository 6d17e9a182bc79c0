package io.tarpon.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A disk that is full: a tmpfs of a few MiB in a mount namespace of the process that works on it. Where the system
/// gives ordinary users no namespaces there is none, and a test says that it is skipped.
public final class FullDisk {
    private static final long SECONDS = 10;

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
