package io.tarpon.bench.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;

/// CPU time of processes since they began, user and system, in seconds.
public final class CpuTimes {
    private CpuTimes() {}

    /// Of the processes and all their living descendants.
    public static double ofServers(Collection<Long> pids) throws IOException {
        long ticks = 0;
        for (var pid : pids) {
            ticks += stat(pid).cpuTicks();
            var descendants = ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::descendants)
                    .mapToLong(ProcessHandle::pid)
                    .toArray();
            for (var descendant : descendants) {
                ticks += stat(descendant).cpuTicks();
            }
        }
        return ticks / StatLine.TICKS_PER_SECOND;
    }

    /// Of this process, and of the kernel's threads that carry loopback's packets where they can be seen.
    public static double ofClient() throws IOException {
        long ticks = stat(ProcessHandle.current().pid()).cpuTicks();
        for (var pid : KERNEL_NETWORK) {
            ticks += stat(pid).cpuTicks();
        }
        return ticks / StatLine.TICKS_PER_SECOND;
    }

    /// Of programs that this process ran and waited for.
    public static double ofEndedChildren() throws IOException {
        return stat(ProcessHandle.current().pid()).childTicks() / StatLine.TICKS_PER_SECOND;
    }

    private static final List<Long> KERNEL_NETWORK = kernelNetworkThreads();

    private static List<Long> kernelNetworkThreads() {
        try (var entries = Files.list(Path.of("/proc"))) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> name.chars().allMatch(c -> c >= '0' && c <= '9'))
                    .flatMapToLong(name -> LongStream.of(Long.parseLong(name)))
                    .filter(CpuTimes::isNetworkThread)
                    .boxed()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean isNetworkThread(long pid) {
        try {
            return stat(pid).name().startsWith("ksoftirqd/");
        } catch (IOException | IllegalArgumentException e) {
            // It has ended meanwhile, or is not ours to see.
            return false;
        }
    }

    private static StatLine stat(long pid) throws IOException {
        return StatLine.parse(Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1));
    }
}
