package io.tarpon.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Facts of this machine, from the operating system's files; a word for what it does not tell.
public final class MachineFacts {
    private static final Path CONGESTION = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
    private static final String UNKNOWN = "unknown";
    private static final List<Path> ADMIN_PROGRAMS = List.of(Path.of("/usr/sbin"), Path.of("/sbin"));

    private MachineFacts() {}

    public static String cpu() {
        return value(Path.of("/proc/cpuinfo"), "model name").orElse(UNKNOWN);
    }

    public static long memoryBytes() {
        return value(Path.of("/proc/meminfo"), "MemTotal")
                .map(text -> Long.parseLong(text.replaceAll("[^0-9]", "")) << 10)
                .orElse(0L);
    }

    /// Averaged over a minute.
    public static double load() {
        return firstLine(Path.of("/proc/loadavg"))
                .map(line -> Double.parseDouble(line.split(" ", 2)[0]))
                .orElse(Double.NaN);
    }

    /// The algorithm that new TCP sockets of this network namespace get.
    public static String congestionControl() {
        return firstLine(CONGESTION).orElse(UNKNOWN);
    }

    /// Where a program is, on the PATH or among the programs of administrators.
    public static Optional<Path> program(String name) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Stream.of(path.split(":", -1))
                                .filter(part -> !part.isEmpty())
                                .map(Path::of),
                        ADMIN_PROGRAMS.stream())
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Most memory that the process ever had resident, in bytes; 0 where it cannot be told.
    public static long peakResidentBytes(long pid) {
        return value(Path.of("/proc/" + pid + "/status"), "VmHWM")
                .map(text -> Long.parseLong(text.replaceAll("[^0-9]", "")) << 10)
                .orElse(0L);
    }

    /// The text after `name:` in a file of such lines.
    private static Optional<String> value(Path file, String name) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> firstLine(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
