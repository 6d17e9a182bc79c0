package io.tarpon.cluster.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the operating system's process files tell; nothing where it has none.
public final class ProcessFacts {
    private ProcessFacts() {}

    /// Resident memory in bytes, or 0 where it cannot be told.
    public static long residentBytes(long pid) {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    /// Whether the process has ended and only its entry is left, because nobody asked for its exit code yet. In
    /// a container whose first process does not ask, entries stay for ever, and a JVM takes them for living
    /// processes.
    public static boolean isZombie(long pid) {
        var state = state(pid);
        return state == 'Z' || state == 'X';
    }

    /// Whether it was told to stand still: it takes no other request then, not even one to end.
    public static boolean isPaused(long pid) {
        return state(pid) == 'T';
    }

    /// The letter for what the process does; a space where it cannot be told.
    private static char state(long pid) {
        try {
            var stat =
                    Files.readString(Path.of("/proc/" + pid + "/stat"), java.nio.charset.StandardCharsets.ISO_8859_1);
            // The name is in brackets and may hold anything; the state follows the last one.
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException | StringIndexOutOfBoundsException e) {
            return ' ';
        }
    }

    /// The program that takes a process out of the terminal's reach, with `setsid` also out of reach of its Ctrl-C.
    public static String detacher() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) || Files.isExecutable(Path.of("/bin/setsid"))
                ? "setsid"
                : "nohup";
    }
}
