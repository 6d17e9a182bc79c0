package io.tarpon.metadata.stream;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.V1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.log.FollowedInMemory;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.service.stream.Brokers;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.wire.event.TarponEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Replicas as processes over one log, all of them at work; one publishes, is killed or stands still, and comes
/// back when another has the duty. Rounds: `-Dduty.rounds=…`.
class SharedDutyTest {
    private static final String LOG = "tarpon.metadata";
    private static final int REPLICAS = 3;
    private static final int ROUNDS = Integer.getInteger("duty.rounds", System.getProperty("nightly") == null ? 2 : 20);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path temp;

    /// What a process sends that stood still between being certain of its duty and sending.
    @Test
    void whatIsOlderThanTheDutyIsTakenByNobody() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), EventLog.TOPIC + ":1")) {
            var settings = new PublisherSettings(
                    Brokers.at(kafka.brokers()), EventLog.TOPIC, Duration.ofMillis(50), Duration.ofMillis(50));
            var failed = new TarponEvent.VersionFailed(DEMO, V1, 1, "cancelled");
            var events = List.of(new CommittedEvent(1, 0, Instant.EPOCH, null, failed));
            try (var session = Session.open(settings, true)) {
                var stoodStill = System.currentTimeMillis() - GroupDuty.SESSION.toMillis();
                assertThatThrownBy(() -> session.publish(events, 0, OptionalLong.of(stoodStill)))
                        .isInstanceOf(KafkaException.class)
                        .hasMessageContaining("too old");
            }
            assertThat(EventLog.messages(kafka.brokers())).isEmpty();
            try (var session = Session.open(settings, true)) {
                session.publish(events, 0, OptionalLong.of(System.currentTimeMillis()));
            }
            assertThat(EventLog.messages(kafka.brokers())).hasSize(1);
        }
    }

    @Test
    void everyEventIsPublishedOnceWhoeverDiesOrStandsStill() throws Exception {
        var seed = Long.getLong("duty.seed", System.nanoTime());
        System.err.println("shared duty seed " + seed);
        var random = new Random(seed);
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), EventLog.TOPIC + ":4")) {
            var replicas = new ArrayList<Replica>();
            var ends = new ArrayList<String>();
            try {
                for (int i = 0; i < REPLICAS; i++) {
                    replicas.add(new Replica(kafka));
                }
                for (int round = 0; round < ROUNDS; round++) {
                    var publishing = publishing(replicas);
                    Thread.sleep(random.nextInt(300));
                    if (round % 2 == 0) {
                        publishing.signal("STOP");
                        replicas.remove(publishing);
                        publishing(replicas);
                        publishing.isPublishing = false;
                        replicas.add(publishing);
                        publishing.signal("CONT");
                    } else {
                        publishing.process.destroyForcibly();
                        replicas.remove(publishing);
                        var killed = System.nanoTime();
                        publishing(replicas);
                        System.err.println("another publishes after "
                                + Duration.ofNanos(System.nanoTime() - killed).toMillis() + " ms");
                        replicas.add(new Replica(kafka));
                    }
                }
                for (var replica : replicas) {
                    ends.add(replica.end());
                }
                judge(kafka.brokers(), ends);
            } finally {
                replicas.forEach(replica -> replica.process.destroyForcibly());
            }
        }
    }

    /// While the replicas publish what is left.
    private static void judge(String brokers, List<String> ends) throws IOException {
        var settings = new KafkaSettings(Brokers.at(brokers), LOG, true, 1, 64 << 20, PATIENCE);
        try (var log = KafkaLog.open(settings, new FollowedInMemory())) {
            Deadline.until(PATIENCE, "the log is reached", () -> reached(log));
            assertThat(ends).hasSize(REPLICAS);
            for (var end : ends) {
                var said = end.split(" ", -1);
                assertThat(said[0]).isEqualTo("done");
                assertThat(said[2])
                        .as("digest at %s", said[1])
                        .isEqualTo(EventLog.digestAt(log, Long.parseLong(said[1])));
            }
            var committed = EventLog.committed(log);
            System.err.println("events " + committed.size());
            Deadline.until(
                    PATIENCE,
                    "all is published",
                    () -> EventLog.messages(brokers).size() >= committed.size());
            EventLog.assertExactlyOnce(EventLog.messages(brokers), committed);
        }
    }

    private static boolean reached(KafkaLog log) {
        try {
            return log.end() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// The one with the duty.
    private static Replica publishing(List<Replica> replicas) {
        Deadline.until(PATIENCE, "one publishes", () -> replicas.stream().anyMatch(replica -> replica.isPublishing));
        return replicas.stream()
                .filter(replica -> replica.isPublishing)
                .findFirst()
                .orElseThrow();
    }

    private final class Replica {
        private final Process process;
        private volatile boolean isPublishing;
        private volatile String last = "";

        Replica(KafkaProcess kafka) throws IOException {
            var options = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");
            process = new ProcessBuilder(Jvm.command(ReplicaProcess.class, options, kafka.brokers(), LOG))
                    .redirectError(ProcessBuilder.Redirect.appendTo(
                            temp.resolve("replicas.log").toFile()))
                    .start();
            Thread.ofPlatform()
                    .daemon()
                    .start(() ->
                            process.inputReader(StandardCharsets.UTF_8).lines().forEach(this::hear));
        }

        private void hear(String line) {
            switch (line) {
                case "duty" -> isPublishing = true;
                case "idle" -> isPublishing = false;
                default -> last = line;
            }
        }

        void signal(String name) throws IOException, InterruptedException {
            var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor()).isZero();
        }

        /// What it says when it has worked enough.
        String end() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            Deadline.until(PATIENCE, "the replica stops working", () -> last.startsWith("done "));
            return last;
        }
    }
}
