package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.Fixtures;
import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.BufferedStore;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStore;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.image.Lookup;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RaiseLevel;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.log.FollowedInMemory;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.metadata.snapshot.SnapshotHeader;
import io.tarpon.metadata.snapshot.SnapshotWriter;
import io.tarpon.metadata.snapshot.StoredSnapshots;
import io.tarpon.metadata.view.RocksView;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Replicas that the log alone cannot bring up to date.
class RestoringTest {
    private static final String ONE = "00112233445566778899aabbccddeeff";
    private static final String OTHER = "ffeeddccbbaa99887766554433221100";

    @TempDir
    Path temp;

    private final SimulatedLog log = new SimulatedLog(1).calm();
    private final AtomicInteger loads = new AtomicInteger();
    private final ReadyAnswers answers = new ReadyAnswers(1 << 20);
    private FailingStore store;
    private StoredSnapshots snapshots;
    private Writer writer;

    @BeforeEach
    void open() throws Exception {
        store = new FailingStore(DirectoryStore.open(temp.resolve("store")));
        snapshots = new StoredSnapshots(store);
        writer = new Writer(log, ONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aNewReplicaStartsFromTheLatestSnapshotAndGoesOn() throws Exception {
        writer.write(5);
        snapshot();
        writer.write(5);
        var latest = snapshot();
        writer.write(3);
        log.appender().trim(latest);

        var replica = replica(new HeapStore());
        replica.begin();
        assertThat(replica.revision()).isEqualTo(latest);
        assertThat(replica.behind()).as("until all is replayed").isPresent();
        replica.catchUp();
        assertThat(replica.behind()).isEmpty();
        requireSame(replica);
        writer.write(2);
        replica.catchUp();
        requireSame(replica);
        assertThat(loads).hasValue(1);
    }

    @Test
    void aReplicaThatWasAwayWhileTheLogWasCutGoesOn() throws Exception {
        writer.write(4);
        var replica = replica(new HeapStore());
        replica.begin();
        replica.catchUp();
        requireSame(replica);
        assertThat(loads).as("nothing was cut").hasValue(0);
        var lookup = new Lookup.OfDataset(DEMO);
        answers.reserve(lookup, 4).orElseThrow().fill(new byte[] {1});
        assertThat(answers.find(lookup.path())).isPresent();
        writer.write(6);
        var cutAt = snapshot();
        writer.write(1);
        var latest = snapshot();
        writer.write(1);
        log.appender().trim(cutAt);

        store.order(StreamFault.BREAK, 100, 1);
        assertThatThrownBy(replica::catchUp).hasMessageContaining("cannot be read");
        for (var question : List.<Runnable>of(() -> replica.read(Image::digest), () -> replica.read(Image::saved))) {
            assertThatThrownBy(question::run)
                    .isInstanceOfSatisfying(
                            TarponException.class,
                            problem -> assertThat(problem.type()).isEqualTo(ProblemType.NOT_READY));
        }
        assertThat(replica.behind()).isPresent();
        assertThat(replica.broken()).isNull();

        replica.catchUp();
        assertThat(replica.behind()).isEmpty();
        requireSame(replica);
        assertThat(loads).hasValue(1);
        assertThat(answers.find(lookup.path())).as("answers of before").isEmpty();
        assertThat(replica.wasApplied(latest)).as("nothing is known of it").isFalse();
        assertThat(replica.wasApplied(latest + 1)).isTrue();
    }

    @Test
    void theEventsOfWhatIsInTheSnapshotAreThere() throws Exception {
        writer.write(8);
        log.appender().trim(snapshot());
        var tail = new EventTail(2);
        var replica = replica(new HeapStore(), tail, new FollowedInMemory());
        replica.catchUp();
        var events = new EventFeed(log.appender(), replica, tail).after(0).events();
        assertThat(events).isNotEmpty();
        assertThat(events)
                .isEqualTo(writer.replica
                        .read(image -> image.outbox().after(0, Integer.MAX_VALUE))
                        .value());
    }

    @Test
    void theSnapshotBeforeIsTakenWhereTheLastIsDamaged() throws Exception {
        writer.write(5);
        var before = snapshot();
        writer.write(5);
        damage(snapshot());
        log.appender().trim(before);
        var replica = replica(new HeapStore());
        replica.begin();
        assertThat(replica.revision()).isEqualTo(before);
        replica.catchUp();
        requireSame(replica);
    }

    @Test
    void aWholeLogIsReplayedWhereEverySnapshotIsDamaged() throws Exception {
        writer.write(5);
        damage(snapshot());
        writer.write(5);
        damage(snapshot());
        var view = new HeapStore();
        var replica = replica(view);
        replica.begin();
        assertThat(replica.revision()).isZero();
        replica.catchUp();
        requireSame(replica);
        assertThat(new Image(view.copy()).digest()).isEqualTo(digest(writer.replica));
        assertThat(loads).hasValue(0);
    }

    @Test
    void whereNoSnapshotIsWholeTheReplicaWaitsForOneAndNamesIt() throws Exception {
        writer.write(5);
        var cutAt = snapshot();
        var whole = Files.readAllBytes(file(cutAt));
        damage(cutAt);
        log.appender().trim(cutAt);
        var replica = replica(new HeapStore());
        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(replica::begin)
                    .isInstanceOf(NoSnapshotException.class)
                    .hasMessageContaining("entries up to " + cutAt + " were removed")
                    .hasMessageContaining(ObjectKeys.snapshot(cutAt) + " is damaged");
            assertThatThrownBy(() -> replica.read(Image::revision)).isInstanceOf(TarponException.class);
        }
        Files.write(file(cutAt), whole);
        replica.begin();
        replica.catchUp();
        requireSame(replica);
    }

    @Test
    void aSnapshotOfAnotherFormatIsNamedWithBothNumbers() throws Exception {
        writer.write(5);
        var cutAt = snapshot();
        log.appender().trim(cutAt);
        var header = snapshots.header(cutAt);
        var bytes = new ByteArrayOutputStream();
        new SnapshotWriter(bytes, new SnapshotHeader(9, cutAt, header.created(), header.log(), header.entry()))
                .finish();
        Files.write(file(cutAt), bytes.toByteArray());
        assertThatThrownBy(replica(new HeapStore())::begin)
                .hasMessageContaining(ObjectKeys.snapshot(cutAt))
                .hasMessageContaining("format 9")
                .hasMessageContaining("format " + StoredImage.FORMAT);
    }

    @Test
    void aSnapshotOfAnotherLogIsNotLoaded() throws Exception {
        var other = new SimulatedLog(2).calm();
        var otherWriter = new Writer(other, OTHER);
        writer.write(5);
        otherWriter.write(12);
        log.appender().trim(snapshot());
        writer.write(9);
        snapshots.write(otherWriter.replica.read(Image::saved).value(), Instant.EPOCH);
        assertThat(snapshots.revisions()).hasSize(2);
        // Of the other log the latest is one, by its revision.
        var replica = replica(new HeapStore());
        replica.catchUp();
        requireSame(replica);
        assertThat(replica.read(Image::logId).value()).contains(ONE);
        assertThat(snapshots.revisions()).hasSize(2);
    }

    /// Both have the same revision there, and nobody remembers which was followed.
    @Test
    void aSnapshotAtTheBeginningOfTheLogIsOfThisLogOnlyWhereTheNextEntrySaysSo() throws Exception {
        var other = new SimulatedLog(2).calm();
        var otherWriter = new Writer(other, OTHER);
        otherWriter.write(5);
        writer.write(5);
        var cutAt = snapshots
                .write(otherWriter.replica.read(Image::saved).value(), Instant.EPOCH)
                .revision();
        assertThat(cutAt).isEqualTo(writer.replica.revision());
        writer.write(1);
        log.appender().trim(cutAt);
        assertThatThrownBy(replica(new HeapStore())::begin).isInstanceOf(NoSnapshotException.class);
        assertThat(loads).hasValue(0);

        var followed = new FollowedInMemory();
        followed.follow(OTHER);
        otherWriter.write(1);
        other.appender().trim(cutAt);
        var known = new Replica(
                other.appender(), followed, snapshots, new EventTail(9), new Image(new HeapStore()), Audience.NONE);
        known.catchUp();
        assertThat(digest(known)).isEqualTo(digest(otherWriter.replica));
    }

    /// Seed 9522 of the simulation.
    @Test
    void anEntryFromBeforeTheNamingOfTheLogSaysNothingAboutWhoseASnapshotIs() throws Exception {
        writer.write(5);
        log.appender().trim(snapshot());
        log.appender()
                .append(EntryFormat.encode(new Entry(
                        "decided before",
                        Instant.EPOCH,
                        null,
                        new TreeMap<>(Map.of(new Entity.Node("nobody").toString(), 0L)),
                        List.of(new Change.DatasetRegistered(DEMO, SPEC)),
                        null)));
        assertThatThrownBy(replica(new HeapStore())::begin)
                .as("nothing else follows yet")
                .isInstanceOf(NoSnapshotException.class);
        writer.write(1);
        var replica = replica(new HeapStore());
        replica.begin();
        replica.catchUp();
        requireSame(replica);
    }

    /// Its process would be killed there; what it leaves is no image.
    @Test
    void aLoadThatBreaksOffIsBegunAnewAndLeavesNoImage() throws Exception {
        writer.write(20);
        log.appender().trim(snapshot());
        var length = Files.size(file(writer.replica.revision()));
        for (long at = 300; at < length; at += length / 5) {
            try (var view = view()) {
                store.order(StreamFault.BREAK, at, 1);
                assertThatThrownBy(replica(view)::begin).isInstanceOf(NoSnapshotException.class);
                view.commit();
            }
            try (var view = view()) {
                assertThat(StoredImage.format(view)).isZero();
            }
        }
        try (var view = view()) {
            var replica = replica(view);
            store.order(StreamFault.LIE, length / 2, 1);
            assertThatThrownBy(replica::begin).hasMessageContaining("is damaged");
            replica.catchUp();
            requireSame(replica);
        }
        try (var view = view()) {
            assertThat(new Image(view).digest()).isEqualTo(digest(writer.replica));
        }
    }

    @Test
    void aFullDiskIsWaitedForWhileASnapshotIsLoaded() throws Exception {
        writer.write(5);
        log.appender().trim(snapshot());
        var disk = new FullStore();
        var replica = replica(disk);
        disk.room = 0;
        assertThatThrownBy(replica::begin).isInstanceOf(UnsavedException.class);
        disk.room = 1;
        assertThatThrownBy(replica::begin).isInstanceOf(UnsavedException.class);
        assertThatThrownBy(() -> replica.read(Image::revision)).isInstanceOf(TarponException.class);
        disk.room = Integer.MAX_VALUE;
        replica.begin();
        replica.catchUp();
        requireSame(replica);
        assertThat(new Image(disk.values.copy()).digest()).isEqualTo(digest(writer.replica));
    }

    @Test
    void anObjectStoreThatIsAwayKeepsAWholeLogFromNothing() throws Exception {
        writer.write(5);
        snapshot();
        store.inject(step -> {
            throw new IOException("away, for a test");
        });
        var replica = replica(new HeapStore());
        replica.begin();
        replica.catchUp();
        requireSame(replica);
    }

    @Test
    void needlessEventsGoWithTheNextEntries() throws Exception {
        writer.write(5);
        var replica = replica(new HeapStore());
        replica.catchUp();
        var all = events(replica);
        replica.forgetEvents(4);
        writer.write(1);
        replica.catchUp();
        assertThat(all).anyMatch(revision -> revision <= 4).anyMatch(revision -> revision > 4);
        assertThat(events(replica)).isNotEmpty().allMatch(revision -> revision > 4);
        requireSame(replica);
    }

    private static List<Long> events(Replica replica) {
        return replica.read(image -> image.outbox().after(0, Integer.MAX_VALUE)).value().stream()
                .map(event -> event.revision())
                .toList();
    }

    private Replica replica(ImageStore view) {
        return replica(view, new EventTail(16), new FollowedInMemory());
    }

    private Replica replica(ImageStore view, EventTail tail, FollowedInMemory followed) {
        return new Replica(
                log.appender(),
                followed,
                snapshots,
                tail,
                new Image(view),
                Audience.NONE.withAnswers(answers).withLoaded(_ -> loads.incrementAndGet()));
    }

    private RocksView view() throws IOException {
        return RocksView.open(temp.resolve("view"), Files.createDirectories(temp.resolve("lib")), 1 << 20);
    }

    private long snapshot() throws IOException {
        try (var image = writer.replica.read(Image::saved).value()) {
            return snapshots.write(image, Instant.EPOCH).revision();
        }
    }

    private Path file(long revision) throws IOException {
        try (var files = Files.walk(temp.resolve("store"))) {
            return files.filter(path -> path.endsWith("snapshot-" + revision))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void damage(long revision) throws IOException {
        var bytes = Files.readAllBytes(file(revision));
        bytes[bytes.length - 40] ^= 1;
        Files.write(file(revision), bytes);
    }

    private void requireSame(Replica replica) {
        assertThat(replica.revision()).isEqualTo(writer.replica.revision());
        assertThat(digest(replica)).isEqualTo(digest(writer.replica));
    }

    private static String digest(Replica replica) {
        return replica.read(Image::digest).value();
    }

    /// A replica that has been there from the first entry, and puts in more.
    private static final class Writer {
        private final Replica replica;
        private final Proposer proposer;
        private int begun;

        private Writer(SimulatedLog log, String id) throws InterruptedException {
            var appender = new CaughtUpLog(log.appender());
            this.replica = new Replica(appender, new EventTail(1), new Image(new HeapStore()));
            appender.replayedBy(replica);
            this.proposer =
                    new Proposer(appender, replica, InstantSource.system(), 4, Duration.ofDays(1), Duration.ZERO);
            run(new RaiseLevel(id, EntryFormat.FORMAT));
        }

        /// Begins, plans and fails versions, one entry each.
        private void write(int entries) throws InterruptedException {
            for (int i = 0; i < entries; i++, begun++) {
                var version = new VersionId(begun / 3 + 1);
                run(
                        switch (begun % 3) {
                            case 0 -> new BeginVersion(DEMO, "request " + begun, SPEC);
                            case 1 -> new PlanVersion(DEMO, version, Fixtures.plan("plan " + begun, 3, 1));
                            default -> new FailVersion(DEMO, version, "why");
                        });
            }
        }

        private void run(Command<?> command) throws InterruptedException {
            var _ = proposer.execute(command, null);
        }
    }

    /// A store whose disk takes some writes more.
    private static final class FullStore extends BufferedStore {
        private final HeapStore values = new HeapStore();
        private int room = Integer.MAX_VALUE;

        @Override
        protected byte @Nullable [] committed(byte[] key) {
            return values.get(key);
        }

        @Override
        protected void scanCommitted(byte[] from, byte[] to, Visitor visitor) {
            values.scan(from, to, visitor);
        }

        @Override
        protected void write(List<Range> dropped, Map<byte[], Optional<byte[]>> changed) {
            if (room-- <= 0) {
                throw new ImageStoreException("full, for a test", new IOException("full"));
            }
            dropped.forEach(range -> values.deleteAll(range.from(), range.to()));
            changed.forEach(
                    (key, value) -> value.ifPresentOrElse(bytes -> values.put(key, bytes), () -> values.delete(key)));
            values.commit();
        }

        @Override
        public Frozen freeze() {
            return values.freeze();
        }

        @Override
        public void close() {
            values.close();
        }
    }
}
