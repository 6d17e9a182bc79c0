package io.tarpon.metadata.log;

import static io.tarpon.metadata.log.MetadataLogContract.all;
import static io.tarpon.metadata.log.MetadataLogContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.service.stream.Brokers;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to a real broker, and to its topic, under a log that is in use.
class KafkaLogFaultsTest {
    private static final String TOPIC = "tarpon.metadata";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    @TempDir
    Path temp;

    private final FollowedInMemory followed = new FollowedInMemory();

    @Test
    void aBrokerThatDiesAndComesBackHasWhatItAcknowledged() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var log = reached(kafka.brokers());
                var reader = log.reader(0)) {
            log.append(bytes("before"));
            assertThat(reader.next(10, PATIENCE)).containsExactly(bytes("before"));
            kafka.kill();
            Deadline.until(PATIENCE, "that it is away is known", () -> refuses(log));
            assertThatThrownBy(() -> log.append(bytes("meanwhile"))).isInstanceOf(LogUnavailableException.class);
            assertThatThrownBy(log::end).isInstanceOf(LogUnavailableException.class);
            assertThatThrownBy(() -> reader.next(10, Duration.ofMillis(50)))
                    .isInstanceOf(LogUnavailableException.class);
            assertThat(log.isWhole()).isTrue();

            kafka.startAgain();
            Deadline.until(PATIENCE, "entries are taken again", () -> takes(log, "after"));
            var entries = all(log, 0);
            assertThat(entries).startsWith("before").endsWith("after");
            assertThat(entries).allMatch(entry -> List.of("before", "after").contains(entry));
            assertThat(reader.next(1, PATIENCE)).containsExactly(bytes("after"));
        }
    }

    /// Some appends are under way when it dies: each of them either failed, and is there or not, or has the
    /// position that it was told.
    @Test
    void whatIsUnderWayWhenABrokerDiesIsInDoubtAndWhatIsAnsweredIsThere() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var log = reached(kafka.brokers())) {
            var appends = new ArrayList<Future<String>>();
            for (int writer = 0; writer < 16; writer++) {
                var name = "writer " + writer;
                appends.add(threads.submit(() -> {
                    var answered = new StringBuilder();
                    for (int i = 0; ; i++) {
                        try {
                            var entry = name + " entry " + i;
                            answered.append(log.append(bytes(entry)))
                                    .append('=')
                                    .append(entry)
                                    .append('\n');
                        } catch (IOException e) {
                            return answered.toString();
                        }
                    }
                }));
            }
            Deadline.until(PATIENCE, "a thousand entries are there", () -> log.end() > 1_000);
            kafka.kill();
            var answered = new ArrayList<String>();
            for (var append : appends) {
                answered.addAll(append.get().lines().toList());
            }
            kafka.startAgain();
            Deadline.until(PATIENCE, "entries are taken again", () -> takes(log, "after"));
            var entries = all(log, 0);
            assertThat(answered).hasSizeGreaterThan(900).allSatisfy(line -> {
                var position = Integer.parseInt(line.substring(0, line.indexOf('=')));
                assertThat(entries.get(position - 1)).isEqualTo(line.substring(line.indexOf('=') + 1));
            });
            assertThat(entries.stream().filter(entry -> entry.startsWith("writer")))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aBrokerIsWaitedForAtTheStart() throws Exception {
        var port = KafkaProcess.freePort();
        try (var log = open("127.0.0.1:" + port);
                var reader = log.reader(0)) {
            assertThatThrownBy(() -> reader.next(1, Duration.ofMillis(20))).isInstanceOf(LogUnavailableException.class);
            assertThatThrownBy(() -> log.append(bytes("a"))).isInstanceOf(LogUnavailableException.class);
            try (var _ = KafkaProcess.startAt(temp.resolve("kafka"), port)) {
                Deadline.until(PATIENCE, "entries are taken", () -> takes(log, "a"));
                assertThat(reader.next(1, PATIENCE)).containsExactly(bytes("a"));
            }
        }
    }

    @Test
    void aTopicThatWasMadeAgainIsNotTheLog() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var admin = admin(kafka)) {
            try (var log = reached(kafka.brokers())) {
                log.append(bytes("a"));
                admin.deleteTopics(List.of(TOPIC)).all().get();
                Deadline.until(PATIENCE, "that it is gone is known", () -> refuses(log));
                assertThat(log.isWhole()).as("it may come back").isTrue();
                Deadline.until(PATIENCE, "the topic is made", () -> made(admin, Map.of()));
                Deadline.until(PATIENCE, "the other one is known", () -> !log.isWhole());
                assertThatThrownBy(() -> log.append(bytes("b")))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("made again");
            }
            try (var log = open(kafka.brokers())) {
                Deadline.until(PATIENCE, "it is known at the next start", () -> !log.isWhole());
                assertThatThrownBy(() -> log.reader(0).next(1, PATIENCE)).hasMessageContaining("made again");
            }
        }
    }

    @Test
    void aTopicThatIsGoneIsNotMadeAgain() throws Exception {
        try (var first = KafkaProcess.start(temp.resolve("first"))) {
            try (var log = reached(first.brokers())) {
                log.append(bytes("a"));
            }
        }
        try (var wiped = KafkaProcess.start(temp.resolve("wiped"));
                var log = open(wiped.brokers());
                var admin = admin(wiped)) {
            Deadline.until(PATIENCE, "that it is gone is said", () -> {
                try {
                    log.append(bytes("b"));
                    return true;
                } catch (LogUnavailableException e) {
                    return e.getMessage().contains("not made again");
                }
            });
            assertThat(admin.listTopics().names().get()).doesNotContain(TOPIC);
            assertThatThrownBy(() -> log.reader(0).next(1, Duration.ofMillis(50)))
                    .isInstanceOf(LogUnavailableException.class);
        }
    }

    @Test
    void aTopicThatForgetsIsNoLog() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var admin = admin(kafka)) {
            Deadline.until(
                    PATIENCE,
                    "the topic is made",
                    () -> made(
                            admin,
                            Map.of(
                                    "retention.ms", "3600000",
                                    "cleanup.policy", "compact",
                                    "max.message.bytes", "100000")));
            try (var log = open(kafka.brokers())) {
                Deadline.until(PATIENCE, "it is refused", () -> !log.isWhole());
                assertThatThrownBy(() -> log.append(bytes("a")))
                        .hasMessageContaining("retention.ms is 3600000, and must be -1")
                        .hasMessageContaining("cleanup.policy is compact")
                        .hasMessageContaining("max.message.bytes");
            }
        }
    }

    @Test
    void entriesThatAnOperatorRemovedAreMissedAndTheRestIsALog() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"));
                var admin = admin(kafka);
                var log = reached(kafka.brokers())) {
            for (var entry : List.of("a", "b", "c")) {
                log.append(bytes(entry));
            }
            admin.deleteRecords(Map.of(new TopicPartition(TOPIC, 0), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
            try (var reader = log.reader(2)) {
                assertThat(reader.next(10, PATIENCE)).containsExactly(bytes("c"));
            }
            try (var reader = log.reader(0)) {
                assertThatThrownBy(() -> reader.next(10, PATIENCE))
                        .isInstanceOf(LogTrimmedException.class)
                        .hasMessageContaining("entry 1 was removed")
                        .hasMessageContaining("begins with entry 3");
            }
            assertThat(log.begin()).isEqualTo(2);
            assertThat(log.isWhole()).isTrue();
            assertThat(log.append(bytes("d"))).isEqualTo(4);
        }
    }

    private KafkaLog open(String brokers) throws IOException {
        return KafkaLog.open(new KafkaSettings(Brokers.at(brokers), TOPIC, true, 1, 64 << 20, DEADLINE), followed);
    }

    private KafkaLog reached(String brokers) throws IOException, InterruptedException {
        var log = open(brokers);
        log.awaitReached(PATIENCE);
        return log;
    }

    private static Admin admin(KafkaProcess kafka) {
        return Admin.create(Map.of("bootstrap.servers", kafka.brokers()));
    }

    private static boolean made(Admin admin, Map<String, String> settings) throws InterruptedException {
        try {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1).configs(settings)))
                    .all()
                    .get();
            return true;
        } catch (ExecutionException e) {
            assertThat(e).as("one of that name is being deleted still").hasCauseInstanceOf(TopicExistsException.class);
            return false;
        }
    }

    private static boolean refuses(KafkaLog log) throws IOException {
        try {
            log.append(bytes("before"));
            return false;
        } catch (LogUnavailableException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean takes(KafkaLog log, String entry) {
        try {
            log.append(bytes(entry));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
