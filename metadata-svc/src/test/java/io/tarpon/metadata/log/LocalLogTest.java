package io.tarpon.metadata.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.LogBusyException;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.wire.format.CorruptFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalLogTest extends MetadataLogContract {
    @TempDir
    Path temp;

    @Override
    MetadataLog open() throws IOException {
        return openLocal();
    }

    private LocalLog openLocal() throws IOException {
        return LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                1024,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1));
    }

    @Test
    void aFullQueueRefusesAndTakesNothing() throws Exception {
        var folder = temp.resolve("log");
        var committing = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var store = Store.open(folder, Files.createDirectories(temp.resolve("lib")))) {
            List<Future<Long>> taken = new ArrayList<>();
            try (var appender = new Appender(store::write, 0, 2, 1 << 20, _ -> {
                committing.countDown();
                awaitUninterruptibly(goOn);
            })) {
                taken.add(appender.append(bytes("a")));
                committing.await();
                taken.add(appender.append(bytes("b")));
                taken.add(appender.append(bytes("c")));
                assertThatThrownBy(() -> appender.append(bytes("d"))).isInstanceOf(LogBusyException.class);
                goOn.countDown();
            }
            assertThat(taken).extracting(Future::get).containsExactly(1L, 2L, 3L);
            assertThat(store.lastPosition()).isEqualTo(3);
        }
    }

    @Test
    void aQueueFullOfBytesRefusesAndTakesAgainOnceTheyAreWritten() throws Exception {
        var committing = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var appender = new Appender(
                (_, _) -> {
                    committing.countDown();
                    awaitUninterruptibly(goOn);
                },
                0,
                100,
                10,
                _ -> {})) {
            var first = appender.append(new byte[6]);
            committing.await();
            var second = appender.append(new byte[4]);
            assertThatThrownBy(() -> appender.append(new byte[1]))
                    .isInstanceOf(LogBusyException.class)
                    .hasMessageContaining("bytes");
            goOn.countDown();
            assertThat(first.get()).isEqualTo(1);
            assertThat(second.get()).isEqualTo(2);
            assertThat(appender.append(new byte[10]).get()).isEqualTo(3);
        }
    }

    @Test
    void anErrorOfTheWritingThreadIsToldToAllWhoWaitAndIsTheLast() throws Exception {
        var committing = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var appender = new Appender(
                (_, _) -> {
                    committing.countDown();
                    awaitUninterruptibly(goOn);
                    throw new OutOfMemoryError("for a test");
                },
                0,
                100,
                1 << 20,
                _ -> {})) {
            var atTheDisk = appender.append(bytes("a"));
            committing.await();
            var queued = appender.append(bytes("b"));
            assertThat(appender.isWhole()).isTrue();
            goOn.countDown();
            assertThatThrownBy(() -> atTheDisk.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(OutOfMemoryError.class);
            assertThatThrownBy(() -> queued.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
            assertThat(appender.isWhole()).isFalse();
            assertThatThrownBy(() -> appender.append(bytes("c"))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anAppendThatTheDiskDoesNotTakeInTimeMayBeThereLater() throws Exception {
        var goOn = new CountDownLatch(1);
        var store = Store.open(Files.createDirectories(temp.resolve("slow")), temp);
        try (var log = new LocalLog(
                temp.resolve("slow"),
                store,
                (first, entries) -> {
                    awaitUninterruptibly(goOn);
                    store.write(first, entries);
                },
                16,
                1 << 20,
                Duration.ofMillis(50))) {
            assertThatThrownBy(() -> log.append(bytes("a")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has not taken the entry");
            assertThat(log.end()).isZero();
            goOn.countDown();
            try (var reader = log.reader(0)) {
                assertThat(reader.next(1, Duration.ofSeconds(30))).containsExactly(bytes("a"));
            }
        }
    }

    @Test
    void theMarkOutlivesTheProcessThatLeftIt() throws IOException {
        try (var log = openLocal()) {
            assertThat(log.publishedUpTo()).isZero();
            log.publishedUpTo(42);
        }
        try (var log = openLocal()) {
            assertThat(log.publishedUpTo()).isEqualTo(42);
            assertThat(log.end()).isZero();
        }
    }

    @Test
    void aTornEndIsCutAndWhatIsBeforeItStays() throws IOException {
        try (var log = openLocal()) {
            log.append(bytes("a"));
            log.append(bytes("b"));
            keepUnclosed();
        }
        var wal = writeAheadLog(temp.resolve("copy"));
        var bytes = Files.readAllBytes(wal);
        Files.write(wal, java.util.Arrays.copyOf(bytes, bytes.length - 3));
        try (var log = LocalLog.open(
                temp.resolve("copy"), temp.resolve("lib"), 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1))) {
            assertThat(all(log, 0)).containsExactly("a");
            assertThat(log.append(bytes("c"))).isEqualTo(2);
        }
    }

    @Test
    void whatIsTrimmedStaysSoWhenTheProcessIsKilled() throws IOException {
        try (var log = openLocal()) {
            log.append(bytes("a"));
            log.append(bytes("b"));
            log.trim(2);
            keepUnclosed();
        }
        try (var log = LocalLog.open(
                temp.resolve("copy"), temp.resolve("lib"), 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1))) {
            assertThat(log.begin()).isEqualTo(2);
            assertThat(log.append(bytes("c"))).isEqualTo(3);
            assertThat(all(log, 2)).containsExactly("c");
        }
    }

    /// It has what is there, in order, or is told that it was too slow; a hole is never seen.
    @Test
    void whoReadsWhileTheLogIsTrimmedSeesNoHole() throws Exception {
        var entries = 400;
        try (var log = openLocal();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= entries; i++) {
                log.append(bytes("entry " + i));
            }
            var reading = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 8; i++) {
                reading.add(threads.submit(() -> readAgainAndAgain(log, entries)));
            }
            for (int position = 1; position <= entries; position++) {
                log.trim(position);
            }
            for (var reader : reading) {
                assertThat(reader.get()).as("trimmed in the end").isTrue();
            }
        }
    }

    private static boolean readAgainAndAgain(LocalLog log, int entries) throws IOException, InterruptedException {
        while (true) {
            var from = log.begin();
            if (from == entries) {
                return true;
            }
            try (var reader = log.reader(from)) {
                var position = from;
                for (var entry : reader.next(entries, Duration.ZERO)) {
                    assertThat(entry).isEqualTo(bytes("entry " + ++position));
                }
            } catch (LogTrimmedException e) {
                assertThat(e.begin()).isGreaterThan(from);
            }
        }
    }

    @Test
    void aFlippedByteBeforeTheEndStopsTheStart() throws IOException {
        try (var log = openLocal()) {
            log.append(bytes("a"));
            log.append(bytes("b"));
            keepUnclosed();
        }
        var wal = writeAheadLog(temp.resolve("copy"));
        var bytes = Files.readAllBytes(wal);
        bytes[bytes.length / 4] ^= 1;
        Files.write(wal, bytes);
        assertThatThrownBy(() -> LocalLog.open(
                        temp.resolve("copy"),
                        temp.resolve("lib"),
                        16,
                        MetadataLog.MAX_ENTRY_BYTES,
                        Duration.ofMinutes(1)))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining(temp.resolve("copy").toString());
    }

    @Test
    void longerEntriesThanAreTakenTodayAreReadAsTheyWereWritten() throws Exception {
        var longest = new byte[32 << 20];
        new Random(3).nextBytes(longest);
        try (var store = Store.open(temp.resolve("log"), Files.createDirectories(temp.resolve("lib")))) {
            store.write(1, List.of(bytes("a"), longest, bytes("c")));
        }
        try (var log = openLocal()) {
            var entries = Entries.after(log, 0, 10);
            assertThat(entries).hasSize(3);
            assertThat(entries.get(1)).isEqualTo(longest);
        }
    }

    @Test
    void aMissingEntryIsAnErrorAndNotAnEnd() throws Exception {
        try (var store = Store.open(temp.resolve("log"), Files.createDirectories(temp.resolve("lib")))) {
            store.write(1, List.of(bytes("a")));
            store.write(3, List.of(bytes("c")));
        }
        try (var log = openLocal()) {
            assertThatThrownBy(() -> Entries.after(log, 0, 10))
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining("entry 2");
        }
    }

    /// A copy of the folder as kill -9 would leave it now: with everything in the write-ahead log.
    private void keepUnclosed() throws IOException {
        Files.createDirectories(temp.resolve("copy"));
        try (Stream<Path> files = Files.list(temp.resolve("log"))) {
            for (var file : files.filter(path -> !path.endsWith("LOCK")).toList()) {
                Files.copy(file, temp.resolve("copy").resolve(file.getFileName()));
            }
        }
    }

    private static Path writeAheadLog(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try (var waiting = Executors.newVirtualThreadPerTaskExecutor()) {
            waiting.submit(() -> {
                        latch.await();
                        return null;
                    })
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
