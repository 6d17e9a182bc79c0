package io.tarpon.metadata.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// What every metadata log promises, while nothing fails.
abstract class MetadataLogContract {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Opens the log; the second time with what the first one holds. The caller closes it.
    abstract MetadataLog open() throws IOException;

    @Test
    void aNewLogIsEmpty() throws IOException {
        try (var log = open()) {
            assertThat(log.end()).isZero();
            assertThat(Entries.after(log, 0, 10)).isEmpty();
        }
    }

    @Test
    void positionsCountFromOne() throws IOException {
        try (var log = open()) {
            assertThat(log.append(bytes("a"))).isEqualTo(1);
            assertThat(log.append(bytes("b"))).isEqualTo(2);
            assertThat(log.end()).isEqualTo(2);
        }
    }

    @Test
    void entriesAreReadInOrderFromAnyPosition() throws IOException {
        try (var log = open()) {
            for (var entry : List.of("a", "b", "c", "d")) {
                log.append(bytes(entry));
            }
            assertThat(all(log, 0)).containsExactly("a", "b", "c", "d");
            assertThat(all(log, 2)).containsExactly("c", "d");
            assertThat(Entries.after(log, 4, 10)).isEmpty();
            assertThat(Entries.after(log, 400, 10)).isEmpty();
        }
    }

    @Test
    void aReadIsLimited() throws IOException {
        try (var log = open()) {
            for (var entry : List.of("a", "b", "c")) {
                log.append(bytes(entry));
            }
            assertThat(Entries.after(log, 0, 2)).hasSize(2);
        }
    }

    @Test
    void anOpenedLogHoldsWhatTheClosedOneDid() throws IOException {
        try (var log = open()) {
            log.append(bytes("a"));
            log.append(bytes("b"));
        }
        try (var log = open()) {
            assertThat(log.end()).isEqualTo(2);
            assertThat(all(log, 0)).containsExactly("a", "b");
            assertThat(log.append(bytes("c"))).isEqualTo(3);
        }
    }

    @Test
    void anEntryIsTheBytesThatWereAppended() throws IOException {
        var large = new byte[MetadataLog.MAX_ENTRY_BYTES];
        new Random(7).nextBytes(large);
        try (var log = open()) {
            log.append(large);
            assertThatThrownBy(() -> log.append(new byte[0])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> log.append(new byte[MetadataLog.MAX_ENTRY_BYTES + 1]))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(Entries.after(log, 0, 1).getFirst()).isEqualTo(large);
        }
    }

    @Test
    void appendsAtOnceAllHavePositionsOfTheirOwn() throws Exception {
        Map<Long, String> acknowledged = new HashMap<>();
        try (var log = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map.Entry<Long, String>>> appends = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                var entry = "entry " + i;
                appends.add(threads.submit(() -> Map.entry(log.append(bytes(entry)), entry)));
            }
            for (var append : appends) {
                acknowledged.put(append.get().getKey(), append.get().getValue());
            }
            assertThat(acknowledged).hasSize(200);
            var entries = all(log, 0);
            acknowledged.forEach((position, entry) ->
                    assertThat(entries.get((int) (position - 1))).isEqualTo(entry));
        }
    }

    @Test
    void aReaderThatWaitsHasTheNextEntry() throws IOException, InterruptedException, ExecutionException {
        try (var log = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var reader = log.reader(0)) {
            var waiting = threads.submit(() -> reader.next(10, Duration.ofSeconds(30)));
            log.append(bytes("a"));
            assertThat(waiting.get()).containsExactly(bytes("a"));
        }
    }

    @Test
    void aReaderWaitsNoLongerThanItIsTold() throws IOException, InterruptedException {
        try (var log = open();
                var reader = log.reader(0)) {
            assertThat(reader.next(10, Duration.ofMillis(20))).isEmpty();
            assertThat(reader.next(10, Duration.ZERO)).isEmpty();
            log.append(bytes("a"));
            assertThat(reader.next(10, Duration.ofSeconds(30))).containsExactly(bytes("a"));
        }
    }

    @Test
    void readersDoNotMeet() throws IOException, InterruptedException {
        try (var log = open();
                var first = log.reader(0);
                var second = log.reader(1)) {
            log.append(bytes("a"));
            log.append(bytes("b"));
            assertThat(first.next(1, Duration.ofSeconds(30))).containsExactly(bytes("a"));
            assertThat(second.next(1, Duration.ofSeconds(30))).containsExactly(bytes("b"));
            assertThat(first.next(1, Duration.ofSeconds(30))).containsExactly(bytes("b"));
        }
    }

    @Test
    void theEndIsThatOfEveryAppendThatReturned() throws Exception {
        try (var log = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> appends = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                appends.add(threads.submit(() -> {
                    var position = log.append(bytes("an entry"));
                    assertThat(log.end()).isGreaterThanOrEqualTo(position);
                    return null;
                }));
            }
            for (var append : appends) {
                append.get();
            }
            assertThat(log.end()).isEqualTo(50);
        }
    }

    @Test
    void aWholeLogBeginsAtZero() throws IOException {
        try (var log = open()) {
            assertThat(log.begin()).isZero();
            log.append(bytes("a"));
            log.trim(0);
            assertThat(log.begin()).isZero();
            assertThat(all(log, 0)).containsExactly("a");
        }
    }

    @Test
    void whatWasTrimmedIsMissedByItsPositionAndWhatFollowsIsThere() throws IOException {
        try (var log = open()) {
            for (var entry : List.of("a", "b", "c", "d")) {
                log.append(bytes(entry));
            }
            log.trim(2);
            assertThat(log.begin()).isEqualTo(2);
            assertThat(log.end()).isEqualTo(4);
            assertThat(all(log, 2)).containsExactly("c", "d");
            for (long position = 0; position < 2; position++) {
                assertTrimmed(log, position, 2);
            }
        }
    }

    @Test
    void aReaderThatIsBeyondWhatIsTrimmedReadsOn() throws IOException, InterruptedException {
        try (var log = open();
                var reader = log.reader(0)) {
            log.append(bytes("a"));
            log.append(bytes("b"));
            assertThat(reader.next(1, PATIENCE)).containsExactly(bytes("a"));
            log.trim(1);
            assertThat(reader.next(1, PATIENCE)).containsExactly(bytes("b"));
            log.trim(2);
            log.append(bytes("c"));
            assertThat(reader.next(1, PATIENCE)).containsExactly(bytes("c"));
        }
    }

    @Test
    void aLogThatIsTrimmedToItsEndGoesOnWhereItEnded() throws IOException {
        try (var log = open()) {
            log.append(bytes("a"));
            log.append(bytes("b"));
            log.trim(2);
            assertThat(log.begin()).isEqualTo(2);
            assertThat(log.end()).isEqualTo(2);
            assertThat(Entries.after(log, 2, 10)).isEmpty();
            assertTrimmed(log, 0, 2);
        }
        try (var log = open()) {
            assertThat(log.begin()).as("opened again").isEqualTo(2);
            assertThat(log.end()).isEqualTo(2);
            assertTrimmed(log, 1, 2);
            assertThat(log.append(bytes("c"))).isEqualTo(3);
            assertThat(all(log, 2)).containsExactly("c");
        }
    }

    @Test
    void trimmingOnceMoreTakesOnlyMore() throws IOException {
        try (var log = open()) {
            for (var entry : List.of("a", "b", "c")) {
                log.append(bytes(entry));
            }
            log.trim(2);
            log.trim(1);
            assertThat(log.begin()).isEqualTo(2);
            assertThat(all(log, 2)).containsExactly("c");
            log.trim(3);
            assertThat(log.begin()).isEqualTo(3);
        }
    }

    @Test
    void whatIsNotThereYetIsNotTrimmed() throws IOException {
        try (var log = open()) {
            log.append(bytes("a"));
            assertThatThrownBy(() -> log.trim(2)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> log.trim(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(all(log, 0)).containsExactly("a");
        }
    }

    private static void assertTrimmed(MetadataLog log, long position, long begin) {
        try (var reader = log.reader(position)) {
            assertThatThrownBy(() -> reader.next(10, PATIENCE))
                    .isInstanceOfSatisfying(LogTrimmedException.class, trimmed -> {
                        assertThat(trimmed.wanted()).isEqualTo(position + 1);
                        assertThat(trimmed.begin()).isEqualTo(begin);
                    })
                    .hasMessageContaining("entry " + (position + 1) + " was removed")
                    .hasMessageContaining("begins with entry " + (begin + 1))
                    .hasMessageContaining("snapshot");
        }
        assertThat(log.isWhole()).isTrue();
    }

    @Test
    void aClosedLogTakesNothing() throws IOException {
        var log = open();
        log.close();
        assertThatThrownBy(() -> log.append(bytes("a"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> {
                    try (var reader = log.reader(0)) {
                        reader.next(1, Duration.ZERO);
                    }
                })
                .isInstanceOf(IOException.class);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<String> all(MetadataLog log, long position) throws IOException {
        return Entries.after(log, position, Integer.MAX_VALUE).stream()
                .map(entry ->
                        StandardCharsets.UTF_8.decode(ByteBuffer.wrap(entry)).toString())
                .toList();
    }
}
