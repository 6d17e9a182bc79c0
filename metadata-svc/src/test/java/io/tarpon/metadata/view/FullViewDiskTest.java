package io.tarpon.metadata.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.FullDisk;
import io.tarpon.testkit.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A view on a disk of 48 MiB that is full, while the log has room: what was replayed is read, no more is replayed,
/// and all goes on by itself once there is room. The disk is a tmpfs in a namespace of a process of its own; where
/// the system allows no such thing to ordinary users, this is skipped and says so.
class FullViewDiskTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void aFullDiskStopsReplayAndNothingElse() throws Exception {
        assumeTrue(FullDisk.isToBeHad(), "no mount namespaces here: a full disk cannot be had");
        var libraries = Files.createDirectories(folder.resolve("lib"));
        var command = Jvm.command(
                FullViewDiskTest.class,
                List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED"),
                folder.resolve("disk").toString(),
                folder.resolve("log").toString(),
                libraries.toString());
        var errors = folder.resolve("stderr");
        var said = FullDisk.said(folder.resolve("disk"), "size=48m", command, errors);
        assertThat(said)
                .as(Files.readString(errors))
                .containsExactly(
                        "replayed before",
                        "stands still",
                        "is read all the same",
                        "still stands still",
                        "goes on by itself",
                        "is the image of the log",
                        "and so it is after a start");
    }

    /// The process: a folder on the disk, one elsewhere for the log, and one for RocksDB's library.
    public static void main(String[] args) throws Exception {
        var disk = Path.of(args[0]);
        var libraries = Path.of(args[2]);
        var ballast = disk.resolve("ballast");
        var more = disk.resolve("more");
        var entries = RandomHistory.ofLargePlans(1, 1_000, 120);
        var whole = new Image(new HeapStore());
        entries.forEach(whole::replay);
        try (var log = LocalLog.open(
                        Path.of(args[1]), libraries, 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1));
                var view = RocksView.open(disk.resolve("view"), libraries, 1 << 20)) {
            var replica = new Replica(log, new EventTail(16), new Image(view));
            try (var replay = new ReplayThread(log, replica)) {
                replay.start();
                var next = 0;
                for (; next < 100; next++) {
                    log.append(EntryFormat.encode(entries.get(next)));
                }
                say(await(() -> replica.revision() == 100), "replayed before");
                System.err.println("the disk is full: " + FullDisk.fill(ballast));
                for (; next < entries.size(); next++) {
                    log.append(EntryFormat.encode(entries.get(next)));
                }
                say(await(() -> replica.unsaved() != null), "stands still");
                var here = replica.revision();
                say(replica.read(Image::digest).revision() == here, "is read all the same");
                // To open the view anew may have made some room once.
                FullDisk.fill(more);
                awaitAttempts(replica, 2);
                say(
                        await(() -> replica.unsaved() != null) && replica.revision() < entries.size(),
                        "still stands still");
                Files.delete(more);
                Files.delete(ballast);
                say(
                        await(() -> replica.revision() == entries.size() && replica.unsaved() == null),
                        "goes on by itself");
                say(replica.read(Image::digest).value().equals(whole.digest()), "is the image of the log");
            }
            replica.end();
        }
        try (var view = RocksView.open(disk.resolve("view"), libraries, 1 << 20)) {
            say(new Image(view).digest().equals(whole.digest()), "and so it is after a start");
        }
    }

    /// Each attempt to save that fails has a reason of its own.
    private static void awaitAttempts(Replica replica, int attempts) {
        for (int i = 0; i < attempts; i++) {
            var before = replica.unsaved();
            Deadline.until(PATIENCE, "another attempt", () -> !Objects.equals(replica.unsaved(), before));
        }
    }

    private static boolean await(BooleanSupplier condition) {
        Deadline.until(PATIENCE, "the replica comes so far", condition::getAsBoolean);
        return true;
    }

    private static void say(boolean holds, String what) {
        System.out.println(holds ? what : "not: " + what);
    }
}
