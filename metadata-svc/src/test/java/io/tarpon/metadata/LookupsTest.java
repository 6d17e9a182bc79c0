package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.V1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.Lookup;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.metadata.replica.Audience;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.ReadyAnswers;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class LookupsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final DatasetName OTHER = new DatasetName("other");
    private static final long PLENTY = 1 << 20;
    private static final int READERS = 4;
    private static final int CHANGES = 3_000;

    private final SimulatedLog log = new SimulatedLog(1).calm();
    private final ReadyAnswers answers = new ReadyAnswers(PLENTY);

    @Test
    void theSecondAnswerIsTheFirstOneAsBytes() throws Exception {
        try (var running = new Running(log.appender(), 16, 3, answers)) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            var lookups = lookups(running.replica());
            assertThat(lookups.ready("demo/versions/v1", 0)).isEmpty();
            var first = lookups.version(DEMO, V1, 0);
            var second = lookups.ready("demo/versions/v1", 0).orElseThrow();
            assertThat(second.revision()).isEqualTo(first.revision());
            assertThat(Json.read(second.value(), VersionRecord.class)).isEqualTo(first.value());

            running.run(new BeginVersion(OTHER, "b", SPEC));
            assertThat(lookups.ready("demo/versions/v1", first.revision() + 1)
                            .orElseThrow()
                            .revision())
                    .as("of what changed elsewhere it knows too")
                    .isEqualTo(first.revision() + 1);
            assertThat(lookups.ready("demo/versions/v1", first.revision() + 2)).isEmpty();
        }
    }

    @Test
    void whatIsNotThereIsNeverReady() throws Exception {
        try (var running = new Running(log.appender(), 16, 3, answers)) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            var lookups = lookups(running.replica());
            assertThatThrownBy(() -> lookups.latest(DEMO, 0)).isInstanceOf(TarponException.class);
            assertThat(lookups.ready("demo/versions/latest", 0)).isEmpty();
        }
    }

    @Test
    void aReplicaThatIsBrokenAnswersNothingMore() throws Exception {
        try (var running = new Running(log.appender(), 16, 3, answers)) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            var lookups = lookups(running.replica());
            lookups.version(DEMO, V1, 0);
            assertThat(lookups.ready("demo/versions/v1", 0)).isPresent();
            running.replica().end();
            assertThat(lookups.ready("demo/versions/v1", 0)).isEmpty();
        }
    }

    /// What was there when replay began may say otherwise.
    @Test
    void aReplicaThatHasNotReplayedTheLogYetAnswersNothing() throws Exception {
        log.appender().append(registered(1));
        var replica = new Replica(
                log.appender(),
                FollowedLog.ANY,
                Snapshots.NONE,
                new EventTail(16),
                new Image(new HeapStore()),
                Audience.NONE.withAnswers(answers));
        replica.catchUp();
        var lookups = lookups(replica);
        lookups.dataset(DEMO, 0);
        assertThat(answers.find("demo")).isPresent();
        assertThat(lookups.ready("demo", 0)).isEmpty();
    }

    /// As where it was put in between the reader's two looks.
    @Test
    void anAnswerOfALaterRevisionThanWasTakenIsToldWithItsOwn() throws Exception {
        try (var running = new Running(log.appender(), 16, 3, answers)) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            var later = running.replica().revision() + 3;
            try (var place = answers.reserve(new Lookup.OfDataset(DEMO), later).orElseThrow()) {
                place.fill(new byte[1]);
            }
            var answer = lookups(running.replica()).ready("demo", 0).orElseThrow();
            assertThat(answer.revision()).isEqualTo(later);
        }
    }

    /// Entry n gives one of two datasets, in turn, the seed n. So every answer can be held against its revision.
    @Test
    void everyAnswerIsThatOfItsRevisionAndNobodyGoesBack() throws Exception {
        try (var running = new Running(log.appender(), 16, 3, answers);
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var platform = Executors.newFixedThreadPool(READERS)) {
            running.log().append(registered(1));
            running.log().append(registered(2));
            Deadline.until("both are replayed", () -> running.replica().revision() == 2);
            var lookups = lookups(running.replica());
            var done = new AtomicBoolean();
            var ready = new LongAdder();
            var readers = new ArrayList<Future<Long>>();
            for (int reader = 0; reader < READERS; reader++) {
                var random = new Random(reader);
                Callable<Long> reads = () -> readUntil(done, lookups, random, ready);
                readers.add(reader % 2 == 0 ? platform.submit(reads) : threads.submit(reads));
            }
            for (int number = 3; number <= CHANGES; number++) {
                running.log().append(registered(number));
                if (number % 5 == 0) {
                    // So that the readers are among the changes, however slow they are.
                    var wanted = number + 1L;
                    Deadline.until(
                            "so many were ready, or a reader failed",
                            () -> ready.sum() >= wanted || readers.stream().anyMatch(Future::isDone));
                }
            }
            Deadline.until("all are replayed", () -> running.replica().revision() == CHANGES);
            done.set(true);
            for (var reader : readers) {
                assertThat(reader.get()).as("the last revision it was told").isEqualTo(CHANGES);
            }
            assertThat(ready.sum()).as("answers that were ready").isGreaterThan(CHANGES);
        }
    }

    /// Returns the last revision that was told.
    private static long readUntil(AtomicBoolean done, Lookups lookups, Random random, LongAdder ready)
            throws IOException {
        long told = 2;
        for (var last = false; !last; ) {
            last = done.get();
            var dataset = random.nextBoolean() ? DEMO : OTHER;
            var asked = random.nextBoolean() ? told : 0;
            var found = lookups.ready(dataset.value(), asked);
            Versioned<DatasetRecord> answer;
            if (found.isPresent()) {
                ready.increment();
                answer = new Versioned<>(
                        found.get().revision(), Json.read(found.get().value(), DatasetRecord.class));
            } else {
                answer = lookups.dataset(dataset, asked);
            }
            assertThat(answer.revision()).isGreaterThanOrEqualTo(told);
            told = answer.revision();
            var isItsTurn = told % 2 == (dataset.equals(DEMO) ? 1 : 0);
            assertThat(answer.value().spec().seed())
                    .as("%s at revision %d", dataset, told)
                    .isEqualTo(isItsTurn ? told : told - 1);
        }
        return told;
    }

    private static byte[] registered(int number) {
        return EntryFormat.encode(new Entry(
                "entry " + number,
                Instant.EPOCH,
                null,
                new TreeMap<>(Map.of(new Entity.Numbers(DEMO).toString(), 0L)),
                List.of(new Change.DatasetRegistered(number % 2 == 1 ? DEMO : OTHER, spec(number)))));
    }

    private static DatasetSpec spec(long seed) {
        return new DatasetSpec("file:///data/in", "auto", DatasetSpec.DEFAULT_SHARD_BYTES, 1, seed, 2, false, "allow");
    }

    private Lookups lookups(Replica replica) {
        return new Lookups(replica, new Queries(replica, PATIENCE), answers);
    }
}
