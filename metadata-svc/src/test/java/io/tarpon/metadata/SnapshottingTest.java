package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RaiseLevel;
import io.tarpon.metadata.log.ForwardingLog;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.snapshot.StoredSnapshots;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshottingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SELDOM = Duration.ofDays(1);
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final String ID = "00112233445566778899aabbccddeeff";

    @TempDir
    Path temp;

    private final AtomicBoolean isHere = new AtomicBoolean(true);
    private final AtomicLong published = new AtomicLong(Long.MAX_VALUE);
    private FailingStore store;
    private StoredSnapshots snapshots;

    @BeforeEach
    void open() throws IOException {
        store = new FailingStore(DirectoryStore.open(temp.resolve("store")));
        snapshots = new StoredSnapshots(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void theLastTwoStayAndTheLogIsCutBehindTheSecondLast() throws Exception {
        try (var running = running("log");
                var snapshotting = snapshotting(running, 0, SELDOM)) {
            write(running, 10);
            var first = snapshotting.take();
            assertThat(first.name()).isEqualTo("metadata/snapshot-10");
            assertThat(first.revision()).isEqualTo(10);
            assertThat(running.log().begin()).as("there is no other one").isZero();
            write(running, 15);
            snapshotting.take();
            assertThat(running.log().begin()).as("its last entry stays").isEqualTo(9);
            write(running, 20);
            snapshotting.take();
            assertThat(snapshots.revisions()).containsExactly(20L, 15L);
            assertThat(running.log().begin()).isEqualTo(14);
            assertThat(snapshotting.latest()).isEqualTo(20);
            assertThat(snapshotting.logBegin()).isEqualTo(14);
            // Twice the same is one.
            snapshotting.take();
            assertThat(snapshots.revisions()).containsExactly(20L, 15L);
            requireStartsFromSnapshot(running);
        }
    }

    /// A log that lost its end, and has grown since: its id is the same.
    @Test
    void snapshotsOfEntriesThatTheLogHasNoMoreNeitherCountNorGo() throws Exception {
        try (var lost = running("lost");
                var snapshotting = snapshotting(lost, 0, SELDOM)) {
            write(lost, 10);
            snapshotting.take();
            write(lost, 30);
            snapshotting.take();
        }
        try (var running = running("log");
                var snapshotting = snapshotting(running, 0, SELDOM)) {
            write(running, 15);
            snapshotting.take();
            assertThat(running.log().begin()).as("there is no other one").isZero();
            write(running, 20);
            snapshotting.take();
            assertThat(running.log().begin()).isEqualTo(14);
            write(running, 40);
            snapshotting.take();
            assertThat(running.log().begin()).isEqualTo(19);
            assertThat(snapshots.revisions()).containsExactly(40L, 30L, 20L, 10L);
            requireStartsFromSnapshot(running);
        }
    }

    @Test
    void aSnapshotInThePlaceOfALostOneCounts() throws Exception {
        try (var lost = running("lost");
                var snapshotting = snapshotting(lost, 0, SELDOM)) {
            write(lost, 10);
            snapshotting.take();
        }
        try (var running = running("log");
                var snapshotting = snapshotting(running, 0, OFTEN)) {
            write(running, 10);
            snapshotting.start();
            Deadline.always(OFTEN.multipliedBy(5), "the lost one does not count", () -> snapshotting.latest() == 0);
            snapshotting.take();
            write(running, 20);
            snapshotting.take();
            assertThat(running.log().begin()).isEqualTo(9);
            requireStartsFromSnapshot(running);
        }
    }

    @Test
    void afterSoManyEntriesASnapshotIsWrittenByItself() throws Exception {
        try (var running = running("log");
                var snapshotting = snapshotting(running, 10, OFTEN)) {
            snapshotting.start();
            write(running, 9);
            write(running, 10);
            Deadline.until(PATIENCE, "a snapshot", () -> snapshotting.latest() >= 10);
            write(running, 20);
            Deadline.until(PATIENCE, "another", () -> running.log().begin() >= 9);
            assertThat(snapshots.revisions()).hasSize(2);
            write(running, 25);
            Deadline.always(
                    OFTEN.multipliedBy(5),
                    "nothing is written before it is time",
                    () -> snapshots.revisions().equals(List.of(20L, 10L)));
            requireStartsFromSnapshot(running);
        }
    }

    @Test
    void whoComesToHaveTheDutyGoesOnFromWhatIsThere() throws Exception {
        try (var running = running("log");
                var another = snapshotting(running, 10, OFTEN)) {
            try (var one = snapshotting(running, 0, SELDOM)) {
                write(running, 12);
                one.take();
                write(running, 17);
            }
            isHere.set(false);
            another.start();
            Deadline.until(PATIENCE, "it is known", () -> another.latest() == 12);
            write(running, 37);
            Deadline.always(
                    OFTEN.multipliedBy(5),
                    "another writes",
                    () -> snapshots.revisions().equals(List.of(12L)));
            assertThatThrownBy(another::take).satisfies(e -> isProblem(e, ProblemType.NOT_READY));
            isHere.set(true);
            Deadline.until(PATIENCE, "it writes", () -> another.latest() == 37);
            Deadline.until(PATIENCE, "it cuts", () -> running.log().begin() == 11);
        }
    }

    @Test
    void whatIsNotPublishedYetStaysInTheLogAndInTheImage() throws Exception {
        published.set(7);
        try (var running = running("log");
                var snapshotting = snapshotting(running, 0, SELDOM)) {
            write(running, 20);
            var all = events(running);
            snapshotting.take();
            write(running, 25);
            snapshotting.take();
            assertThat(running.log().begin()).isEqualTo(7);
            write(running, 26);
            var left = events(running);
            assertThat(all).anyMatch(revision -> revision <= 7);
            assertThat(left).noneMatch(revision -> revision <= 7);
            assertThat(left)
                    .containsAll(all.stream().filter(revision -> revision > 7).toList());
        }
    }

    @Test
    void snapshotsOfAnotherLogAreNeitherDeletedNorOverwritten() throws Exception {
        try (var other = running("other", "ffeeddccbbaa99887766554433221100");
                var snapshotting = snapshotting(other, 0, SELDOM)) {
            write(other, 10);
            snapshotting.take();
            write(other, 40);
            snapshotting.take();
        }
        var before = snapshots.header(40);
        try (var running = running("log");
                var snapshotting = snapshotting(running, 0, SELDOM)) {
            write(running, 10);
            assertThatThrownBy(snapshotting::take)
                    .satisfies(e -> isProblem(e, ProblemType.CONFLICT))
                    .hasMessageContaining("metadata/snapshot-10 is of the log ffee");
            for (int revision = 15; revision <= 25; revision += 5) {
                write(running, revision);
                snapshotting.take();
            }
            assertThat(snapshots.revisions()).containsExactly(40L, 25L, 20L, 10L);
            assertThat(running.log().begin()).isEqualTo(19);
            assertThat(snapshots.header(40)).isEqualTo(before);
            requireStartsFromSnapshot(running);
        }
    }

    @Test
    void anObjectStoreThatIsAwayIsWaitedFor() throws Exception {
        var asked = new AtomicInteger();
        store.inject(step -> {
            asked.incrementAndGet();
            throw new IOException("away, for a test");
        });
        try (var running = running("log");
                var snapshotting = snapshotting(running, 10, OFTEN)) {
            snapshotting.start();
            write(running, 25);
            Deadline.until(PATIENCE, "it is asked again and again", () -> asked.get() > 3);
            assertThatThrownBy(snapshotting::take)
                    .satisfies(e -> isProblem(e, ProblemType.STORAGE_UNAVAILABLE))
                    .hasMessageContaining("away, for a test");
            write(running, 26);
            store.inject(_ -> {});
            Deadline.until(PATIENCE, "it goes on", () -> snapshotting.latest() == 26);
        }
    }

    @Test
    void oneIsWrittenAtATimeAndReplayGoesOnMeanwhile() throws Exception {
        var isInside = new CompletableFuture<Void>();
        var goOn = new CompletableFuture<Void>();
        try (var running = running("log");
                var snapshotting = snapshotting(running, 0, SELDOM)) {
            write(running, 10);
            store.inject(step -> {
                if (step == FailingStore.Step.BEFORE_COMPLETE) {
                    isInside.complete(null);
                    goOn.join();
                }
            });
            var first = CompletableFuture.supplyAsync(snapshotting::take);
            isInside.join();
            write(running, 20);
            assertThatThrownBy(snapshotting::take).satisfies(e -> isProblem(e, ProblemType.CONFLICT));
            goOn.complete(null);
            assertThat(first.join().revision()).isEqualTo(10);
            assertThat(snapshotting.take().revision()).isEqualTo(20);
        }
    }

    @Test
    void withoutAStoreOrAnEntryThereIsNothingToWrite() throws Exception {
        try (var running = new Running(log("log"), 16, 4);
                var snapshotting = snapshotting(running, 0, SELDOM);
                var without = snapshotting(running, Optional.empty(), 0, OFTEN)) {
            without.start();
            assertThatThrownBy(without::take).satisfies(e -> isProblem(e, ProblemType.STORAGE_UNAVAILABLE));
            assertThatThrownBy(snapshotting::take).satisfies(e -> isProblem(e, ProblemType.CONFLICT));
        }
        assertThat(snapshots.revisions()).isEmpty();
    }

    @Test
    void whoWaitsForASnapshotIsToldThatTheServiceStops() throws Exception {
        var isInside = new CompletableFuture<Void>();
        try (var running = running("log")) {
            var snapshotting = snapshotting(running, 0, SELDOM);
            store.inject(step -> {
                isInside.complete(null);
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    throw new IOException("broken off", e);
                }
            });
            var asked = CompletableFuture.supplyAsync(snapshotting::take);
            isInside.join();
            snapshotting.close();
            assertThatThrownBy(asked::join).hasCauseInstanceOf(TarponException.class);
            assertThatThrownBy(snapshotting::take).satisfies(e -> isProblem(e, ProblemType.NOT_READY));
        }
    }

    /// Dies at each step of a snapshot and of what follows it, before and after it happened.
    @Test
    void aDeathAnywhereLosesNothing() throws Exception {
        var deaths = 0;
        for (var hasDied = true; hasDied; deaths++) {
            var left = new AtomicInteger(deaths);
            hasDied = diesAndNothingIsLost("log " + deaths, () -> {
                if (left.getAndDecrement() <= 0) {
                    throw new Death();
                }
            });
            for (var revision : snapshots.revisions()) {
                snapshots.delete(revision);
            }
        }
        assertThat(deaths).as("steps, and one life").isGreaterThan(8);
    }

    private boolean diesAndNothingIsLost(String name, Runnable step) throws Exception {
        var isDead = new AtomicBoolean();
        Runnable met = () -> {
            try {
                step.run();
            } catch (Death e) {
                isDead.set(true);
                throw e;
            }
        };
        var isArmed = new AtomicBoolean();
        var log = new ForwardingLog(log(name)) {
            @Override
            public void trim(long position) throws IOException {
                if (isArmed.get()) {
                    met.run();
                }
                super.trim(position);
                if (isArmed.get()) {
                    met.run();
                }
            }
        };
        try (var running = new Running(log, 16, 4)) {
            running.run(new RaiseLevel(ID, EntryFormat.FORMAT));
            try (var snapshotting = snapshotting(running, 0, SELDOM)) {
                write(running, 10);
                snapshotting.take();
                write(running, 20);
                snapshotting.take();
                write(running, 30);
                isArmed.set(true);
                store.inject(_ -> met.run());
                try {
                    snapshotting.take();
                } catch (IllegalStateException e) {
                    assertThat(e).hasRootCauseInstanceOf(Death.class);
                }
            }
            store.inject(_ -> {});
            isArmed.set(false);
            requireStartsFromSnapshot(running);
            try (var next = snapshotting(running, 0, SELDOM)) {
                write(running, 35);
                next.take();
                assertThat(snapshots.revisions()).hasSize(2).first().isEqualTo(35L);
                assertThat(running.log().begin())
                        .isEqualTo(snapshots.revisions().getLast() - 1);
                requireStartsFromSnapshot(running);
            }
        }
        return isDead.get();
    }

    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    /// A replica that knows nothing comes to the same.
    private void requireStartsFromSnapshot(Running running) throws Exception {
        var shared = new ForwardingLog(running.log()) {
            @Override
            public void close() {
                // Closed by the other.
            }
        };
        try (var another = new Running(shared, snapshots)) {
            assertThat(another.replica().awaitRevision(running.replica().revision(), PATIENCE))
                    .isTrue();
            assertThat(another.replica().read(Image::digest))
                    .isEqualTo(running.replica().read(Image::digest));
        }
    }

    private static List<Long> events(Running running) {
        return running.replica().read(image -> image.outbox().after(0, Integer.MAX_VALUE)).value().stream()
                .map(event -> event.revision())
                .toList();
    }

    private Running running(String name) throws Exception {
        return running(name, ID);
    }

    private Running running(String name, String id) throws Exception {
        var running = new Running(log(name), 16, 4);
        running.run(new RaiseLevel(id, EntryFormat.FORMAT));
        return running;
    }

    private LocalLog log(String name) throws IOException {
        return LocalLog.open(temp.resolve(name), temp, 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1));
    }

    /// Until the log has so many entries.
    private static void write(Running running, long until) throws InterruptedException {
        while (running.replica().revision() < until) {
            var next = running.replica().revision() + 1;
            var begun =
                    running.run(new BeginVersion(DEMO, "request " + next, SPEC)).version();
            if (running.replica().revision() < until) {
                running.run(new FailVersion(DEMO, begun, "why"));
            }
        }
    }

    private Snapshotting snapshotting(Running running, long entries, Duration interval) {
        return snapshotting(running, Optional.of(snapshots), entries, interval);
    }

    private Snapshotting snapshotting(
            Running running, Optional<StoredSnapshots> where, long entries, Duration interval) {
        return new Snapshotting(
                running.log(),
                running.replica(),
                where,
                InstantSource.system(),
                new Snapshotting.Settings(entries, interval),
                isHere::get,
                published::get);
    }

    private static void isProblem(Throwable thrown, ProblemType type) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        TarponException.class,
                        problem -> assertThat(problem.type()).isEqualTo(type));
    }
}
