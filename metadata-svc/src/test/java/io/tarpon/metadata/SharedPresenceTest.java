package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.metadata.image.WindowDigest;
import io.tarpon.metadata.node.Agreement;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Replicas;
import io.tarpon.metadata.node.Sign;
import io.tarpon.metadata.stream.PresenceTopic;
import io.tarpon.service.stream.Brokers;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.metadata.ReaderReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two replicas and a broker: what one is told, both know.
class SharedPresenceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final TreeMap<String, NodeRegistration> NODES = new TreeMap<>(Map.of("node-1", node(1)));

    @TempDir
    Path temp;

    @Test
    void whatOneReplicaIsToldAllKnow() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var told = new Ear(kafka.brokers());
                var other = new Ear(kafka.brokers())) {
            Deadline.until(PATIENCE, "both listen", () -> told.topic.isListening() && other.topic.isListening());
            told.topic.tell(new Sign.Joined("node-1"));
            Deadline.until(PATIENCE, "the other has heard", () -> {
                told.topic.tell(new Sign.Beat("node-1", 3, 400));
                return other.node().blocks() == 3;
            });
            Deadline.always(TIMEOUT.multipliedBy(2), "the node lives for both", () -> {
                told.topic.tell(new Sign.Beat("node-1", 3, 400));
                return told.node().state() == NodeState.UP && other.node().state() == NodeState.UP;
            });
            Deadline.until(
                    PATIENCE,
                    "the node is lost for both",
                    () -> told.node().state() == NodeState.LOST && other.node().state() == NodeState.LOST);
        }
    }

    @Test
    void whileTheBrokerIsAwayNobodyIsLostAndNothingIsCollected() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var told = new Ear(kafka.brokers());
                var other = new Ear(kafka.brokers())) {
            Deadline.until(PATIENCE, "both listen", () -> told.topic.isListening() && other.topic.isListening());
            Deadline.until(PATIENCE, "what is read is known to the other", () -> {
                told.report();
                return other.readers
                        .open()
                        .filter(open -> open.contains(new VersionName(DEMO, V1)))
                        .isPresent();
            });
            Deadline.until(PATIENCE, "the other has heard", () -> {
                told.topic.tell(new Sign.Beat("node-1", 3, 400));
                return other.node().blocks() == 3;
            });

            kafka.kill();
            Deadline.until(PATIENCE, "that is noticed", () -> !other.topic.isListening() && !told.topic.isListening());
            assertThat(other.readers.open()).as("nothing is known").isEmpty();
            assertThatThrownBy(() -> told.readers.report("gateway", new ReaderReport(List.of())))
                    .isInstanceOf(TarponException.class)
                    .hasMessageContaining("cannot be told");
            Deadline.always(
                    TIMEOUT.multipliedBy(2),
                    "the node is not lost",
                    () -> other.node().state() == NodeState.UP);

            kafka.startAgain();
            Deadline.until(PATIENCE, "both listen again", () -> told.topic.isListening() && other.topic.isListening());
            assertThat(other.readers.open()).as("some may have gone unheard").isEmpty();
            Deadline.until(
                    PATIENCE, "a silent node is lost then", () -> other.node().state() == NodeState.LOST);
            Deadline.until(
                    PATIENCE,
                    "nothing is being read then",
                    () -> other.readers.open().filter(open -> open.isEmpty()).isPresent());
        }
    }

    @Test
    void whatAnOlderReplicaReadsIsKnownWhileItLives() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var one = new Ear(kafka.brokers())) {
            Deadline.until(PATIENCE, "it is alone", () -> one.allRead(EntryFormat.FORMAT));
            try (var _ = new Ear(kafka.brokers(), EntryFormat.FORMAT - 1)) {
                Deadline.until(PATIENCE, "an older one is heard", () -> !one.allRead(EntryFormat.FORMAT));
                assertThat(one.allRead(EntryFormat.FORMAT - 1)).isTrue();
            }
            Deadline.until(PATIENCE, "the older one is gone", () -> one.allRead(EntryFormat.FORMAT));
        }
    }

    @Test
    void whoCameToSomethingElseThanTheOthersIsToldSo() throws Exception {
        var right = new WindowDigest("log", 1, 1024, "a");
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var one = new Ear(kafka.brokers());
                var two = new Ear(kafka.brokers());
                var wrong = new Ear(kafka.brokers())) {
            one.agreement.replayed(right);
            two.agreement.replayed(right);
            Deadline.until(
                    PATIENCE,
                    "both have compared",
                    () -> one.agreement.agreedUpTo() == 1024 && two.agreement.agreedUpTo() == 1024);
            wrong.agreement.replayed(new WindowDigest("log", 1, 1024, "b"));
            Deadline.until(PATIENCE, "it is told", () -> wrong.divergence().isPresent());
            assertThat(wrong.divergence())
                    .hasValueSatisfying(why ->
                            assertThat(why).contains("entries up to 1024").contains("2 of 3 replicas"));
            assertThat(one.divergence()).isEmpty();
            assertThat(two.divergence()).isEmpty();
        }
    }

    /// The soft state of a replica, put together as the service does.
    private static final class Ear implements AutoCloseable {
        private final HeardTime time = new HeardTime(System::nanoTime, TIMEOUT.dividedBy(4));
        private final Liveness liveness = new Liveness(TIMEOUT, Duration.ZERO, time.getAsLong());
        private final OpenReads openReads = new OpenReads(TIMEOUT, 10, time.getAsLong());
        private final Replicas replicas = new Replicas(TIMEOUT, time.getAsLong());
        private final String name = UUID.randomUUID().toString();
        private final Agreement agreement = new Agreement(name, TIMEOUT);
        private final PresenceTopic topic;
        private final Readers readers;

        Ear(String brokers) {
            this(brokers, EntryFormat.FORMAT);
        }

        Ear(String brokers, int level) {
            topic = PresenceTopic.open(
                    new PresenceTopic.Settings(
                            Brokers.at(brokers),
                            "tarpon.presence",
                            true,
                            1,
                            name,
                            level,
                            agreement::latest,
                            TIMEOUT.dividedBy(4)),
                    new Ears(time, liveness, openReads, replicas, agreement));
            readers = new Readers(openReads, time, topic);
        }

        /// Not while a slow machine keeps it from hearing itself.
        void report() {
            try {
                readers.report("gateway", new ReaderReport(List.of(DEMO + "/" + V1)));
            } catch (TarponException e) {
                assertThat(e.type()).isEqualTo(ProblemType.NOT_READY);
            }
        }

        Optional<String> divergence() {
            return agreement.divergence(time.getAsLong());
        }

        boolean allRead(int level) {
            return replicas.allRead(level, time.getAsLong());
        }

        NodeRecord node() {
            return liveness.records(NODES, time.getAsLong()).getFirst();
        }

        @Override
        public void close() throws IOException, InterruptedException {
            topic.close();
        }
    }
}
