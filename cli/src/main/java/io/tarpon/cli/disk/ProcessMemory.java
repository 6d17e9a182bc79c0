package io.tarpon.cli.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Resident memory of a process, where the operating system tells.
public final class ProcessMemory {
    private ProcessMemory() {}

    /// Bytes, or 0 where it cannot be told.
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
}
