package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.BufferedStore;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.image.WindowDigest;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaTest {
    @TempDir
    Path temp;

    /// The first record of the entry is applied, the second cannot be: a reader who waits for the lock meanwhile must
    /// not see the first.
    @Test
    void aHalfAppliedEntryIsNeverRead() throws Exception {
        try (var log = LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                16,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1))) {
            var replica = new Replica(log, new EventTail(16), new Image(new HeapStore()));
            var entry = new Entry(
                    "nonsense",
                    Instant.EPOCH,
                    null,
                    new TreeMap<>(Map.of(new Entity.Numbers(DEMO).toString(), 0L)),
                    List.of(
                            new Change.VersionBegun(DEMO, V1, "a", SPEC, null),
                            new Change.VersionBegun(DEMO, new VersionId(7), "b", SPEC, null)));
            log.append(EntryFormat.encode(entry));
            var inside = new CountDownLatch(1);
            var goOn = new CompletableFuture<Void>();
            var reader = new CompletableFuture<Object>();
            // Holds the read lock, so that replay and the reader both queue for theirs, in this order.
            var first = Thread.ofPlatform()
                    .start(() -> replica.read(_ -> {
                        inside.countDown();
                        return goOn.join();
                    }));
            inside.await();
            var replay = Thread.ofPlatform()
                    .start(() -> assertThatThrownBy(replica::catchUp).isInstanceOf(IllegalStateException.class));
            awaitState(replay);
            var second = Thread.ofPlatform().start(() -> {
                try {
                    reader.complete(replica.read(image -> image.reads().datasets(null, Integer.MAX_VALUE))
                            .value());
                } catch (TarponException e) {
                    reader.complete(e);
                }
            });
            awaitState(second);
            goOn.complete(null);
            assertThat(reader.get(30, TimeUnit.SECONDS)).isInstanceOf(TarponException.class);
            assertThat(replica.broken()).hasMessageContaining("the image cannot take");
            first.join();
            replay.join();
            second.join();
        }
    }

    @Test
    void replicaThatIsBehindTheBeginningOfTheLogWaitsAndSaysWhatToDo() throws Exception {
        var log = new SimulatedLog(1).calm();
        try (var running = new Running(log.appender(), 16, 3)) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            running.run(new BeginVersion(DEMO, "b", SPEC));
            running.log().trim(1);
            assertThat(running.run(new BeginVersion(DEMO, "c", SPEC)).version())
                    .as("who has replayed it goes on")
                    .isEqualTo(new VersionId(3));
            var late = new Replica(log.appender(), new EventTail(16), new Image(new HeapStore()));
            for (int times = 0; times < 2; times++) {
                assertThatThrownBy(late::catchUp)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("entries up to 1 were removed")
                        .hasMessageContaining("a snapshot of revision 1 to 3")
                        .hasMessageContaining("without an object store");
                assertThatThrownBy(() -> late.read(Image::revision))
                        .isInstanceOfSatisfying(
                                TarponException.class,
                                problem -> assertThat(problem.type()).isEqualTo(ProblemType.NOT_READY))
                        .hasMessageContaining("entries up to 1 were removed");
                assertThat(late.behind()).isPresent();
                assertThat(late.broken()).isNull();
            }
        }
    }

    /// Half of an entry may be in the image then: it must be saved by nobody, and no entry be skipped.
    @Test
    void aViewThatCannotBeReadInReplayStopsTheReplicaForGood() throws Exception {
        var store = new UnreadableShards();
        try (var log = log("log")) {
            append(log, new Change.VersionBegun(DEMO, V1, "a", SPEC, null));
            append(log, new Change.VersionPlanned(DEMO, V1, plan("p", 2, 0).splits(), null));
            var replica = new Replica(log, new EventTail(16), new Image(store));
            replica.catchUp();
            append(log, new Change.ShardSealed(DEMO, V1, TRAIN, new ShardName(0), seal(0, "a")));
            append(log, new Change.VersionRemoved(DEMO, V1, "why", null));
            store.fails = true;
            assertThatThrownBy(replica::catchUp).isInstanceOf(ImageStoreException.class);
            store.fails = false;
            assertThatThrownBy(replica::catchUp).hasMessageContaining("cannot be replayed");
            assertThat(replica.revision()).isEqualTo(2);
            assertThat(new Image(store.copy()).revision()).isEqualTo(2);
        }
    }

    @Test
    void aLogThatLostItsEndAndGrewAgainIsNotTheOneOfTheView() throws Exception {
        var store = new HeapStore();
        try (var log = log("log")) {
            for (int i = 1; i <= 3; i++) {
                append(log, new Change.VersionBegun(DEMO, new VersionId(i), "request " + i, SPEC, null));
            }
            new Replica(log, new EventTail(16), new Image(store)).catchUp();
            new Replica(log, new EventTail(16), new Image(store.copy())).begin();
        }
        try (var log = log("another")) {
            for (int i = 1; i <= 4; i++) {
                append(log, new Change.VersionBegun(DEMO, new VersionId(i), "request " + i * i, SPEC, null));
            }
            var replica = new Replica(log, new EventTail(16), new Image(store.copy()));
            assertThatThrownBy(() -> replica.begin())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("entry 3")
                    .hasMessageContaining("not the one that was replayed here");
        }
    }

    private LocalLog log(String name) throws IOException {
        return LocalLog.open(
                temp.resolve(name),
                Files.createDirectories(temp.resolve("lib")),
                16,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1));
    }

    /// Rests on nothing that anything here changes.
    private static void append(LocalLog log, Change change) throws IOException {
        var guards = new TreeMap<>(Map.of(new Entity.Node("nobody").toString(), 0L));
        log.append(EntryFormat.encode(new Entry("a key", Instant.EPOCH, null, guards, List.of(change))));
    }

    /// A store whose disk has damaged shards.
    private static final class UnreadableShards extends BufferedStore {
        private final HeapStore values = new HeapStore();
        private boolean fails;

        @Override
        protected byte @Nullable [] committed(byte[] key) {
            if (fails && key[0] == 's') {
                throw new ImageStoreException("damaged, for a test", new IOException("damaged"));
            }
            return values.get(key);
        }

        @Override
        protected void scanCommitted(byte[] from, byte[] to, Visitor visitor) {
            values.scan(from, to, visitor);
        }

        @Override
        protected void write(List<Range> dropped, Map<byte[], Optional<byte[]>> changed) {
            dropped.forEach(range -> values.deleteAll(range.from(), range.to()));
            changed.forEach(
                    (key, value) -> value.ifPresentOrElse(bytes -> values.put(key, bytes), () -> values.delete(key)));
            values.commit();
        }

        @Override
        public Frozen freeze() {
            return values.freeze();
        }

        private HeapStore copy() {
            return values.copy();
        }

        @Override
        public void close() {
            values.close();
        }
    }

    private static void awaitState(Thread thread) {
        var deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(System.nanoTime()).as("the thread waits for the lock").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void whoMadeSomethingElseOfTheEntriesThanOthersAnswersNothingAnyMore() throws Exception {
        var divergence = new AtomicReference<Optional<String>>(Optional.empty());
        var peers = new Peers() {
            @Override
            public void replayed(WindowDigest window) {
                // No window is as short as this log.
            }

            @Override
            public Optional<String> divergence() {
                return divergence.get();
            }
        };
        var image = new Image(new HeapStore());
        var replica = new Replica(
                new SimulatedLog(1).calm().appender(),
                FollowedLog.ANY,
                Snapshots.NONE,
                new EventTail(16),
                image,
                Audience.NONE.withPeers(peers));
        replica.catchUp();
        assertThat(replica.read(Image::revision).value()).isZero();
        divergence.set(Optional.of("it differs"));
        assertThatThrownBy(replica::catchUp).isInstanceOf(IOException.class).hasMessageContaining("it differs");
        assertThatThrownBy(() -> replica.read(Image::revision))
                .isInstanceOf(TarponException.class)
                .hasMessageContaining("delete it and start again");
    }
}
