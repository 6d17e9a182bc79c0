package io.tarpon.metadata.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.testkit.FullDisk;
import io.tarpon.testkit.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A metadata log on a disk of 48 MiB that is full. The disk is a tmpfs in a namespace of a process of its own; where
/// the system allows no such thing to ordinary users, this is skipped and says so.
class FullLogDiskTest {
    private static final int ENTRY_BYTES = 64 << 10;

    @TempDir
    Path folder;

    @Test
    void fullDiskTakesNoEntryAndLosesNone() throws Exception {
        assumeTrue(FullDisk.isToBeHad(), "no mount namespaces here: a full disk cannot be had");
        var disk = folder.resolve("disk");
        var libraries = Files.createDirectories(folder.resolve("lib"));
        var command = Jvm.command(
                FullLogDiskTest.class,
                List.of("-Xmx96m", "--enable-native-access=ALL-UNNAMED"),
                disk.toString(),
                libraries.toString());
        var errors = folder.resolve("stderr");
        var said = FullDisk.said(disk, "size=48m", command, errors);
        assertThat(said)
                .as(Files.readString(errors))
                .containsExactly(
                        "taken before",
                        "refused",
                        "refused once more",
                        "all that were taken are read",
                        "all that were taken are there after the start",
                        "taken again");
    }

    /// The process: a folder on the disk, and one elsewhere for RocksDB's library.
    public static void main(String[] args) throws Exception {
        var disk = Path.of(args[0]);
        var libraries = Path.of(args[1]);
        var ballast = disk.resolve("ballast");
        var taken = 0;
        try (var log =
                LocalLog.open(disk.resolve("log"), libraries, 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1))) {
            for (; taken < 10; taken++) {
                log.append(entry(taken));
            }
            System.out.println("taken before");
            System.err.println("the disk is full: " + FullDisk.fill(ballast));
            taken = appendUntilRefused(log, taken);
            System.out.println(log.isWhole() ? "takes entries still" : "refused");
            System.out.println(appendUntilRefused(log, taken) == taken ? "refused once more" : "taken");
            if (holds(log, taken) == taken) {
                System.out.println("all that were taken are read");
            }
        }
        Files.delete(ballast);
        try (var log =
                LocalLog.open(disk.resolve("log"), libraries, 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1))) {
            // One more may be there: that it was refused says nothing of what the disk holds.
            if (holds(log, taken) >= taken && log.end() <= taken + 1) {
                System.out.println("all that were taken are there after the start");
            }
            var end = log.end();
            System.out.println(log.append(entry(taken)) == end + 1 ? "taken again" : "lost");
        }
    }

    /// Returns how many the log has taken in all.
    private static int appendUntilRefused(LocalLog log, int taken) {
        for (int next = taken; next < 10_000; next++) {
            try {
                log.append(entry(next));
            } catch (IOException refused) {
                System.err.println("refused: " + refused.getMessage());
                return next;
            }
        }
        throw new IllegalStateException("the disk does not get full");
    }

    /// How many of the first entries are there and as they were.
    private static int holds(LocalLog log, int taken) throws IOException {
        var held = new ArrayList<byte[]>();
        List<byte[]> more;
        do {
            more = Entries.after(log, held.size(), 100);
            held.addAll(more);
        } while (!more.isEmpty());
        var sound = 0;
        while (sound < Math.min(held.size(), taken) && Arrays.equals(held.get(sound), entry(sound))) {
            sound++;
        }
        return sound;
    }

    private static byte[] entry(int number) {
        var bytes = new byte[ENTRY_BYTES];
        Arrays.fill(bytes, (byte) (number + 1));
        return bytes;
    }
}
