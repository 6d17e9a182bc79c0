package io.tarpon.metadata.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.LocalFill;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Moves that end in the middle: one of the two places has the log then, and the move can be run again.
class BrokenOffMoveTest {
    private static final byte[] MEANWHILE = "meanwhile".getBytes(StandardCharsets.US_ASCII);
    private static final int MANY = 20_000;
    private static final int KILLS = Integer.getInteger("move.kills", 4);
    private static final int LONGEST_LIFE_MILLIS = 4_000;

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

    @ParameterizedTest
    @EnumSource(
            value = Witness.Step.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"READ", "TOPIC_SHUT"})
    void moveToKafkaThatEndsAtAStepLeavesOneLogAndGoesOn(Witness.Step step) throws Exception {
        var entries = Places.entries();
        places.make(entries, 11);
        var digest = places.digestLocally();
        places.locally(log -> log.trim(20));
        assertThatThrownBy(() -> places.toKafka(new Places.KillsAt(step))).isInstanceOf(Places.Killed.class);

        if (step == Witness.Step.SWITCHED) {
            assertThatThrownBy(() -> StateFolder.open(places.folder())).hasMessageContaining("follows a log in Kafka");
            assertThatThrownBy(places::digestInKafka)
                    .as("nobody appends to it yet")
                    .hasMessageContaining("takes no entries of replicas");
        } else {
            assertThatThrownBy(() -> StateFolder.openFollowing(places.folder()))
                    .hasMessageContaining("holds a metadata log");
            assertThat(places.digestLocally()).isEqualTo(digest);
        }
        var moved = places.toKafka();
        assertThat(moved.revision()).isEqualTo(entries.size());
        assertThat(moved.begin()).isEqualTo(20);
        assertThat(places.digestInKafka()).isEqualTo(digest);
        assertThat(places.between().group().publishedUpTo()).isEqualTo(11);
        places.inKafka(
                log -> assertThat(Places.all(log)).containsExactlyElementsOf(entries.subList(20, entries.size())));
        assertThat(places.folder().resolve("log")).doesNotExist();
        assertThat(places.folder().resolve("log-moved-" + entries.size())).isDirectory();
    }

    @Test
    void moveToKafkaThatEndsAmongTheEntriesGoesOnWithWhatWasAppendedMeanwhile() throws Exception {
        var entries = Places.entries(MANY);
        makeLarge(entries);
        assertThatThrownBy(() -> places.toKafka(killsAmong("copied"))).isInstanceOf(Places.Killed.class);
        places.locally(log -> assertThat(log.append(MEANWHILE)).isEqualTo(MANY + 1));
        var moved = places.toKafka();
        assertThat(moved.revision()).isEqualTo(MANY + 1);
        assertThat(moved.copied()).isLessThanOrEqualTo(MANY + 1).isPositive();
        places.inKafka(log -> {
            assertThat(Places.all(log))
                    .hasSize(MANY + 1)
                    .startsWith(entries.getFirst())
                    .endsWith(MEANWHILE);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Witness.Step.class,
            names = {"TOPIC_SHUT", "TOPIC_FOUND", "COPIED", "COMPARED", "SWITCHED"})
    void moveToLocalThatEndsAtAStepLeavesOneLogAndGoesOn(Witness.Step step) throws Exception {
        var entries = Places.entries();
        places.make(entries, 11);
        var digest = places.digestLocally();
        places.toKafka();
        assertThatThrownBy(() -> places.toLocal(new Places.KillsAt(step))).isInstanceOf(Places.Killed.class);

        if (step == Witness.Step.SWITCHED) {
            assertThatThrownBy(() -> StateFolder.openFollowing(places.folder()))
                    .hasMessageContaining("holds a metadata log");
        } else {
            assertThatThrownBy(() -> StateFolder.open(places.folder())).hasMessageContaining("follows a log in Kafka");
            assertRefusedByAReplica();
        }
        assertThat(places.toLocal().revision()).isEqualTo(entries.size());
        assertThat(places.digestLocally()).isEqualTo(digest);
        places.locally(log -> assertThat(Places.all(log)).containsExactlyElementsOf(entries));
    }

    @Test
    void moveToLocalThatEndsHalfWayCanBeTakenBack() throws Exception {
        var entries = Places.entries();
        places.make(entries, 11);
        var digest = places.digestLocally();
        places.toKafka();
        assertThatThrownBy(() -> places.toLocal(new Places.KillsAt(Witness.Step.COPIED)))
                .isInstanceOf(Places.Killed.class);
        assertThat(places.toKafka().revision()).isEqualTo(entries.size());
        assertThat(places.digestInKafka()).isEqualTo(digest);
        places.inKafka(log -> assertThat(log.append(MEANWHILE)).isEqualTo(entries.size() + 1));
    }

    /// A folder whose new log was there by name when the process ended, and did not count yet.
    @Test
    void logThatWasInPlaceAndDidNotCountIsPutAside() throws Exception {
        var entries = Places.entries();
        places.make(entries, 11);
        places.toKafka();
        assertThatThrownBy(() -> places.toLocal(new Places.KillsAt(Witness.Step.COMPARED)))
                .isInstanceOf(Places.Killed.class);
        Files.move(places.folder().resolve("log-new"), places.folder().resolve("log"));
        assertThat(places.toLocal().revision()).isEqualTo(entries.size());
        assertThat(places.folder().resolve("log-moved-" + entries.size() + "-2"))
                .isDirectory();
    }

    /// Processes that are killed at any time, until one has moved the log; then the same back.
    @Test
    void killedMovesGoOnUntilOneIsDone() throws Exception {
        var entries = Places.entries(MANY);
        makeLarge(entries);
        var seed = Long.getLong("move.seed", System.nanoTime());
        System.err.println("killed moves seed " + seed);
        var random = new Random(seed);
        killed("kafka", random);
        places.inKafka(log -> assertThat(Places.all(log)).containsExactlyElementsOf(entries));
        killed("local", random);
        places.locally(log -> assertThat(Places.all(log)).containsExactlyElementsOf(entries));
    }

    private void killed(String where, Random random) throws IOException, InterruptedException {
        for (int kill = 0; kill < KILLS; kill++) {
            var process = job(where);
            if (!process.waitFor(random.nextInt(LONGEST_LIFE_MILLIS), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        var last = job(where);
        assertThat(last.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(last.exitValue())
                .as(Files.readString(temp.resolve("stderr")))
                .isZero();
        assertThat(Files.readString(temp.resolve("stdout")))
                .contains("moved log=" + where + " revision=" + MANY + " begin=0 ");
    }

    private Process job(String where) throws IOException {
        var command = Jvm.command(
                JobProcess.class,
                List.of(
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dtarpon.metadata.dir=" + places.folder(),
                        "-Dkafka.bootstrap.servers=" + places.topic().brokers().servers(),
                        "-Dtarpon.metadata.kafka.topic=" + places.topic().topic(),
                        "-Dtarpon.metadata.kafka.replicas=1"),
                "move",
                where);
        return new ProcessBuilder(command)
                .redirectError(temp.resolve("stderr").toFile())
                .redirectOutput(temp.resolve("stdout").toFile())
                .start();
    }

    private void makeLarge(List<byte[]> entries) throws IOException {
        StateFolder.open(places.folder()).close();
        try (var folder = MovableFolder.open(places.folder());
                var fill = LocalFill.open(folder.log(), folder.libraries(), 0)) {
            for (var entry : entries) {
                fill.add(entry);
            }
            fill.finish(0);
        }
    }

    private void assertRefusedByAReplica() throws IOException {
        try (var state = StateFolder.openFollowing(places.folder());
                var log = KafkaLog.open(places.topic(), state.topic())) {
            Deadline.until(Places.PATIENCE, "the topic is refused", () -> !log.isWhole());
            assertThatThrownBy(log::end).hasMessageContaining("takes no entries");
        }
    }

    private static Witness killsAmong(String what) {
        return new Places.Patient() {
            @Override
            public void at(String doing, long done, long total) {
                if (doing.equals(what) && done > MANY / 2) {
                    throw new Places.Killed(what + " " + done);
                }
            }
        };
    }
}
