package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.FollowedInMemory;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A replica and the log that it followed before.
class LogIdentityTest {
    private static final String ONE = "00112233445566778899aabbccddeeff";
    private static final String OTHER = "ffeeddccbbaa99887766554433221100";

    private final FollowedInMemory followed = new FollowedInMemory();

    @Test
    void theFirstAppendNamesTheLogAndTheReplicaRemembersIt() throws Exception {
        var log = new SimulatedLog(1).calm();
        var replica = replica(log);
        begin(log.appender(), replica, "a", ONE);
        assertThat(followed.id()).contains(ONE);
        assertThat(replica.revision()).isEqualTo(2);
        begin(log.appender(), replica, "b", OTHER);
        assertThat(replica.read(Image::logId).value()).contains(ONE);
        assertThat(log.entries())
                .extracting(entry -> EntryFormat.decode("test", entry).log())
                .containsExactly(null, ONE, ONE);
        replica(log);
    }

    @Test
    void anIdThatCannotBeRememberedNowIsRememberedWithALaterEntry() throws Exception {
        var log = new SimulatedLog(1).calm();
        var failures = new AtomicInteger(1);
        var full = new FollowedLog() {
            @Override
            public Optional<String> id() {
                return followed.id();
            }

            @Override
            public void follow(String id) throws IOException {
                if (failures.getAndDecrement() > 0) {
                    throw new IOException("no space left, for a test");
                }
                followed.follow(id);
            }
        };
        var replica = new Replica(
                log.appender(), full, Snapshots.NONE, new EventTail(9), new Image(new HeapStore()), Audience.NONE);
        begin(log.appender(), replica, "a", ONE);
        begin(log.appender(), replica, "b", ONE);
        assertThat(replica.broken()).isNull();
        assertThat(failures).hasNegativeValue();
        assertThat(followed.id()).contains(ONE);
    }

    @Test
    void logStaysAsItIsWhileAnOlderReplicaLives() throws Exception {
        var log = new SimulatedLog(1).calm();
        var replica = replica(log);
        var appending = new CaughtUpLog(log.appender(), replica);
        new Proposer(appending, replica, () -> Instant.EPOCH, 3, Duration.ofDays(1), Duration.ZERO)
                .execute(new BeginVersion(DEMO, "a", SPEC), null);
        assertThat(log.entries()).extracting(entry -> entry[5]).containsExactly((byte) EntryFormat.FIRST_LEVEL);
        begin(log.appender(), replica, "b", ONE);
        assertThat(log.entries()).extracting(entry -> entry[5]).containsExactly((byte) 4, (byte) 5, (byte) 5);
    }

    @Test
    void anotherLogBreaksTheReplicaAndBothAreNamed() throws Exception {
        var before = new SimulatedLog(1).calm();
        begin(before.appender(), replica(before), "a", ONE);
        var another = new SimulatedLog(2).calm();
        begin(
                another.appender(),
                new Replica(another.appender(), new EventTail(9), new Image(new HeapStore())),
                "a",
                OTHER);
        assertRefused(another, OTHER);
    }

    @Test
    void emptyLogIsNotTheOneOfBefore() throws Exception {
        followed.follow(ONE);
        assertRefused(new SimulatedLog(1).calm(), "has no id");
    }

    @Test
    void logWithoutAnIdIsNotTheOneOfBefore() throws Exception {
        followed.follow(ONE);
        var old = new SimulatedLog(1).calm();
        var writer = new Replica(old.appender(), new EventTail(9), new Image(new HeapStore()));
        new Proposer(
                        new CaughtUpLog(old.appender(), writer),
                        writer,
                        () -> Instant.EPOCH,
                        3,
                        Duration.ofDays(1),
                        Duration.ZERO)
                .execute(new BeginVersion(DEMO, "a", SPEC), null);
        assertRefused(old, "has no id");
    }

    private void assertRefused(SimulatedLog log, String what) {
        var replica = new Replica(
                log.appender(), followed, Snapshots.NONE, new EventTail(9), new Image(new HeapStore()), Audience.NONE);
        var revision = replica.revision();
        assertThatThrownBy(() -> start(replica))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(ONE)
                .hasMessageContaining(what);
        assertThat(replica.revision()).as("nothing of it is served").isEqualTo(revision);
        assertThat(replica.behind()).isPresent();
        if (!log.entries().isEmpty()) {
            assertThatThrownBy(() -> replica.read(Image::revision)).isInstanceOf(TarponException.class);
        }
        assertThat(followed.id()).contains(ONE);
    }

    private Replica replica(SimulatedLog log) throws IOException, InterruptedException {
        var replica = new Replica(
                log.appender(), followed, Snapshots.NONE, new EventTail(9), new Image(new HeapStore()), Audience.NONE);
        start(replica);
        return replica;
    }

    /// As the replay thread does.
    private static void start(Replica replica) throws IOException, InterruptedException {
        try {
            replica.begin();
        } catch (NoSnapshotException | UnsavedException e) {
            throw new IOException(e);
        }
        replica.catchUp();
    }

    private static void begin(MetadataLog log, Replica replica, String requestId, String newId)
            throws InterruptedException {
        new Proposer(
                        new CaughtUpLog(log, replica),
                        replica,
                        () -> Instant.EPOCH,
                        3,
                        Duration.ofDays(1),
                        Duration.ZERO,
                        new Proposer.Levels(level -> level == EntryFormat.FORMAT, () -> newId))
                .execute(new BeginVersion(DEMO, requestId, SPEC), null);
    }
}
