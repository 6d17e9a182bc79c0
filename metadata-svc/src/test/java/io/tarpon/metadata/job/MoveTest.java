package io.tarpon.metadata.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.FollowedInMemory;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.LocalFill;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.stream.GroupDuty;
import io.tarpon.metadata.stream.PublisherGroup;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A log that moves between a folder and a topic of a real broker.
class MoveTest {
    private static final byte[] LATER = "later".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    static Path shared;

    private static KafkaProcess kafka;

    @TempDir
    Path temp;

    private Places places;

    @BeforeAll
    static void start() throws IOException {
        kafka = KafkaProcess.start(shared.resolve("kafka"));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @BeforeEach
    void name() {
        places = new Places(temp.resolve("metadata"), kafka.brokers());
    }

    @Test
    void logGoesToKafkaAndBackWithEveryRevisionAndTheSameDigest() throws Exception {
        var entries = Places.entries();
        var half = entries.size() / 2;
        places.make(entries.subList(0, half), half - 7);
        var before = places.digestLocally();

        var there = places.toKafka();
        assertThat(there.revision()).isEqualTo(half);
        assertThat(there.copied()).isEqualTo(half);
        assertThat(there.bytes()).isEqualTo(bytes(entries.subList(0, half)));
        assertThat(places.digestInKafka()).isEqualTo(before);
        assertThat(group().publishedUpTo()).isEqualTo(half - 7);
        places.inKafka(log -> {
            assertThat(Places.all(log)).containsExactlyElementsOf(entries.subList(0, half));
            Places.append(log, entries.subList(half, entries.size()));
        });
        var later = places.digestInKafka();
        group().publishedUpTo(entries.size() - 3);

        var back = places.toLocal();
        assertThat(back.revision()).isEqualTo(entries.size());
        assertThat(back.copied()).isEqualTo(entries.size());
        assertThat(places.digestLocally()).isEqualTo(later);
        places.locally(log -> {
            assertThat(Places.all(log)).containsExactlyElementsOf(entries);
            assertThat(((LocalLog) log).publishedUpTo()).isEqualTo(entries.size() - 3);
        });
        assertThat(temp.resolve("metadata/log-moved-" + half)).isDirectory();
    }

    @Test
    void logThatWasCutMovesWithItsBeginning() throws Exception {
        var entries = Places.entries();
        var end = entries.size();
        places.make(entries, 0);
        var digest = places.digestLocally();
        places.locally(log -> log.trim(end - 9));

        assertThat(places.toKafka().begin()).isEqualTo(end - 9);
        places.inKafka(log -> {
            assertThat(log.begin()).isEqualTo(end - 9);
            assertThat(log.end()).isEqualTo(end);
            assertThat(Places.all(log)).containsExactlyElementsOf(entries.subList(end - 9, end));
        });
        assertThat(places.digestInKafka()).isEqualTo(digest);

        assertThat(places.toLocal().begin()).isEqualTo(end - 9);
        places.locally(log -> assertThat(log.begin()).isEqualTo(end - 9));
        assertThat(places.digestLocally()).isEqualTo(digest);
    }

    @Test
    void topicThatALogLeftIsGoneOnWith() throws Exception {
        places.make(Places.entries(9), 0);
        places.toKafka();
        places.toLocal();
        places.locally(log -> {
            log.append(LATER);
            log.trim(5);
        });
        var moved = places.toKafka();
        assertThat(moved.copied()).as("what the topic did not have").isEqualTo(1);
        places.inKafka(log -> {
            assertThat(log.begin()).isEqualTo(5);
            assertThat(log.append(LATER)).isEqualTo(11);
        });
    }

    @Test
    void whatMovedFromOneFolderIsNotMovedFromAnother() throws Exception {
        places.make(Places.entries(9), 0);
        places.toKafka();
        var other = places.folder().resolveSibling("another-replica");
        try (var state = StateFolder.openFollowing(other);
                var log = KafkaLog.open(places.topic(), state.topic())) {
            log.awaitReached(Places.PATIENCE);
        }
        places.toLocal();
        var between = new LogPlaces(other, places.topic());
        assertThatThrownBy(() -> new MoveToKafka(between, new Places.Patient()).run())
                .hasMessageContaining("its log is in another folder");
        assertThatThrownBy(() -> new MoveToLocal(between, new Places.Patient()).run())
                .hasMessageContaining("its log is in another folder");
        places.locally(log -> assertThat(log.append(LATER)).isEqualTo(10));
        places.toKafka();
        assertThat(new MoveToKafka(between, new Places.Patient()).run().copied())
                .as("it is there")
                .isZero();
        assertThat(new MoveToLocal(between, new Places.Patient()).run().copied())
                .isEqualTo(10);
    }

    /// Nothing is in both places then; the folder remembers the topic, which nobody could append to.
    @Test
    void topicThatALogLeftIsGoneOnWithThoughTheLogWasCutBeyondItSince() throws Exception {
        var entries = Places.entries(15);
        places.make(entries.subList(0, 9), 0);
        places.toKafka();
        places.toLocal();
        places.locally(log -> {
            Places.append(log, entries.subList(9, 15));
            log.trim(12);
        });
        for (var step : List.of(Witness.Step.TOPIC_OPENED, Witness.Step.COPIED)) {
            assertThatThrownBy(() -> places.toKafka(new Places.KillsAt(step))).isInstanceOf(Places.Killed.class);
        }
        assertThat(places.toKafka().begin()).isEqualTo(12);
        places.inKafka(log -> {
            assertThat(Places.all(log)).containsExactlyElementsOf(entries.subList(12, 15));
            assertThat(log.append(LATER)).isEqualTo(16);
        });
    }

    @Test
    void topicThatIsBeingFilledIsNoLogOfAReplicaYet() throws Exception {
        places.make(Places.entries(9), 0);
        assertThatThrownBy(() -> places.toKafka(new Places.KillsAt(Witness.Step.COMPARED)))
                .isInstanceOf(Places.Killed.class);
        try (var other = KafkaLog.open(places.topic(), new FollowedInMemory())) {
            Deadline.until(Places.PATIENCE, "the topic is refused", () -> !other.isWhole());
        }
        places.toKafka();
        places.inKafka(log -> assertThat(log.append(LATER)).isEqualTo(10));
    }

    @Test
    void replicaThatOnlyStoodStillAppendsNothingToATopicThatItsLogLeft() throws Exception {
        places.make(Places.entries(9), 0);
        places.toKafka();
        var followed = new FollowedInMemory();
        try (var standing = KafkaLog.open(places.topic(), followed)) {
            standing.awaitReached(Places.PATIENCE);
            assertThat(standing.append(LATER)).isEqualTo(10);
            assertThat(places.toLocal().revision()).isEqualTo(10);
            assertThatThrownBy(() -> standing.append(LATER)).isInstanceOf(IOException.class);
            assertThat(standing.end()).isEqualTo(10);
        }
        try (var starting = KafkaLog.open(places.topic(), followed)) {
            Deadline.until(Places.PATIENCE, "the topic is refused", () -> !starting.isWhole());
            assertThatThrownBy(starting::end).hasMessageContaining("move local").hasMessageContaining("move kafka");
        }
    }

    @Test
    void entriesFromBeforeTheyHadABoundMoveToo() throws Exception {
        var entry = new byte[3 * MetadataLog.MAX_ENTRY_BYTES];
        StateFolder.open(places.folder()).close();
        try (var folder = MovableFolder.open(places.folder());
                var fill = LocalFill.open(folder.log(), folder.libraries(), 0)) {
            fill.add(entry);
            fill.finish(0);
        }
        assertThat(places.toKafka().bytes()).isEqualTo(entry.length);
        places.inKafka(log -> assertThat(Places.all(log)).containsExactly(entry));
        assertThat(places.toLocal().bytes()).isEqualTo(entry.length);
    }

    @Test
    void moveThatIsDoneIsDoneOnce() throws Exception {
        places.make(Places.entries(3), 0);
        assertThat(places.toLocal()).isEqualTo(new Moved("local", 3, 0, 0, 0));
        places.toKafka();
        assertThat(places.toKafka()).isEqualTo(new Moved("kafka", 3, 0, 0, 0));
    }

    @Test
    void emptyLogMoves() throws Exception {
        places.make(Places.entries(0), 0);
        assertThat(places.toKafka().revision()).isZero();
        assertThat(places.toLocal().revision()).isZero();
    }

    @Test
    void folderOfAServiceThatRunsIsRefused() throws Exception {
        places.make(Places.entries(3), 0);
        places.locally(log -> assertThatThrownBy(() -> places.toKafka()).hasMessageContaining("in use by another"));
        places.toKafka();
        places.inKafka(log -> assertThatThrownBy(() -> places.toLocal()).hasMessageContaining("in use by another"));
    }

    @Test
    void topicThatAReplicaFollowsIsRefusedUntilItIsGone() throws Exception {
        places.make(Places.entries(3), 0);
        places.toKafka();
        try (var member = new GroupDuty(places.topic().brokers(), places.topic().topic())) {
            Deadline.until(Places.PATIENCE, "the replica is a member", () -> member.isHere(Duration.ofMillis(200)));
            assertThatThrownBy(() -> places.toLocal())
                    .hasMessageContaining("1 replicas")
                    .hasMessageContaining("stop");
        }
        assertThat(places.between().gate().isShut()).isFalse();
        assertThat(places.toLocal().revision()).isEqualTo(3);
    }

    @Test
    void topicWithSomethingElseIsRefusedAndStaysAsItIs() throws Exception {
        places.make(Places.entries(3), 0);
        try (var other = KafkaLog.open(places.topic(), new FollowedInMemory())) {
            other.awaitReached(Places.PATIENCE);
            other.append(LATER);
            assertThatThrownBy(() -> places.toKafka())
                    .hasMessageContaining("entry 1")
                    .hasMessageContaining(places.topic().topic())
                    .hasMessageContaining("delete the topic");
            for (int more = 0; more < 3; more++) {
                other.append(LATER);
            }
            assertThatThrownBy(() -> places.toKafka()).hasMessageContaining("it has entries 1 to 4");
            assertThat(Places.all(other)).hasSize(4);
        }
        places.locally(log -> assertThat(log.append(LATER)).isEqualTo(4));
    }

    @Test
    void topicThatCannotBeComparedIsRefused() throws Exception {
        places.make(Places.entries(9), 0);
        places.locally(log -> log.trim(5));
        try (var other = KafkaLog.open(places.topic(), new FollowedInMemory())) {
            other.awaitReached(Places.PATIENCE);
            Places.append(other, Places.entries(4));
            assertThatThrownBy(() -> places.toKafka()).hasMessageContaining("cannot be told");
        }
    }

    @Test
    void viewThatLacksWhatTheTopicLostIsRefusedAndTheTopicStaysOpen() throws Exception {
        var entries = Places.entries();
        places.make(entries, 0);
        places.toKafka();
        places.inKafka(log -> log.trim(5));
        assertThatThrownBy(() -> places.toLocal())
                .hasMessageContaining("after entry 5")
                .hasMessageContaining("revision 0")
                .hasMessageContaining("start the service");
        places.inKafka(log -> assertThat(log.append(LATER)).isEqualTo(entries.size() + 1));
    }

    @Test
    void folderThatIsNoneOrNeverReachedItsTopicIsRefused() throws Exception {
        assertThatThrownBy(() -> places.toKafka()).hasMessageContaining("is no metadata folder");
        StateFolder.openFollowing(places.folder()).close();
        assertThatThrownBy(() -> places.toLocal()).hasMessageContaining("never reached its topic");
    }

    @Test
    void brokerThatIsAwayLeavesTheLogWhereItWas() throws Exception {
        places = new Places(temp.resolve("metadata"), "127.0.0.1:" + KafkaProcess.freePort());
        places.make(Places.entries(3), 0);
        assertThatThrownBy(() -> places.toKafka()).isInstanceOf(IOException.class);
        places.locally(log -> assertThat(log.append(LATER)).isEqualTo(4));
    }

    @Test
    void aHundredThousandPositionsAreFilledInSeconds() throws Exception {
        StateFolder.open(places.folder()).close();
        try (var folder = MovableFolder.open(places.folder());
                var fill = LocalFill.open(folder.log(), folder.libraries(), 100_000)) {
            fill.add(LATER);
            fill.finish(0);
        }
        var before = System.nanoTime();
        assertThat(places.toKafka().revision()).isEqualTo(100_001);
        System.err.printf("filled 100000 positions in %d ms%n", (System.nanoTime() - before) / 1_000_000);
        places.inKafka(log -> assertThat(Places.all(log)).containsExactly(LATER));
        assertThat(places.folder().resolve("log")).doesNotExist();
    }

    private PublisherGroup group() {
        return places.between().group();
    }

    private static long bytes(List<byte[]> entries) {
        return entries.stream().mapToLong(entry -> entry.length).sum();
    }
}
