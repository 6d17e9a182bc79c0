package io.tarpon.service.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class NeededTopicsTest {
    private static final NeededTopics.Making MADE = new NeededTopics.Making(true, 1);
    private static final NeededTopics.Making NOT_MADE = new NeededTopics.Making(false, 1);

    @TempDir
    static Path folder;

    private static KafkaProcess kafka;

    private final Waits waits = new Waits();

    @BeforeAll
    static void start() throws IOException {
        kafka = KafkaProcess.start(folder.resolve("kafka"));
    }

    @AfterAll
    static void stop() {
        if (kafka != null) {
            kafka.close();
        }
    }

    @Test
    void missingTopicsAreMadeWithTheirSettings() throws Exception {
        try (var needed = look(MADE, NeededTopic.of("made.plans", 12), NeededTopic.letters("made.plans.dlq"))) {
            Deadline.until("made", () -> partitions("made.plans") == 12 && partitions("made.plans.dlq") == 1);
            assertThat(needed.refused()).isEmpty();
        }
        assertThat(setting("made.plans", "cleanup.policy")).isEqualTo("delete");
        assertThat(setting("made.plans", "retention.ms")).isEqualTo("604800000");
        assertThat(setting("made.plans.dlq", "max.message.bytes")).isEqualTo("2101248");
    }

    @Test
    void aTopicThatMayNotBeMadeIsWaitedForUntilSomebodyMakesIt() throws Exception {
        try (var needed = look(NOT_MADE, NeededTopic.of("of.others", 4))) {
            Deadline.until("said", () -> said().contains("topic of.others: it is not there, and not made here"));
            make("of.others", 4, Map.of());
            Deadline.until("found", () -> waits.now().isEmpty());
            assertThat(needed.refused()).isEmpty();
        }
    }

    @Test
    void aTopicThatMayLoseMessagesIsRefusedUntilItIsPutRight() throws Exception {
        make("lossy", 4, Map.of("cleanup.policy", "compact", "retention.ms", "60000"));
        try (var needed = look(MADE, NeededTopic.of("lossy", 4), NeededTopic.of("beside.it", 1))) {
            Deadline.until("refused", () -> needed.refused().isPresent());
            assertThat(needed.refused())
                    .contains("topic lossy cannot be used: cleanup.policy is compact, and must be delete;"
                            + " retention.ms is 60000, and must be at least 86400000");
            Deadline.until("the other one is made", () -> partitions("beside.it") == 1);

            set("lossy", Map.of("cleanup.policy", "delete", "retention.ms", "-1"));
            Deadline.until(
                    "put right", () -> needed.refused().isEmpty() && waits.now().isEmpty());
        }
    }

    @Test
    void aTopicWithOtherPartitionsIsTakenAsItIs() throws Exception {
        make("wider", 7, Map.of());
        try (var needed = look(MADE, NeededTopic.of("wider", 4), NeededTopic.of("after.wider", 1))) {
            Deadline.until(
                    "looked",
                    () -> partitions("after.wider") == 1 && waits.now().isEmpty());
            assertThat(needed.refused()).isEmpty();
        }
        assertThat(partitions("wider")).isEqualTo(7);
    }

    @Test
    void brokersThatAreAwayAreWaitedFor(@TempDir Path other) throws Exception {
        int port = KafkaProcess.freePort();
        var topics = List.of(NeededTopic.of("late", 3));
        try (var _ = NeededTopics.look(Map.of("bootstrap.servers", "127.0.0.1:" + port), MADE, patience(), topics)) {
            Deadline.until("said", () -> said().contains("late"));
            try (var late = KafkaProcess.startAt(other.resolve("kafka"), port)) {
                Deadline.until("made", () -> waits.now().isEmpty());
                assertThat(described(late, "late").partitions()).hasSize(3);
            }
        }
    }

    @Test
    void aServiceThatEndsStopsLooking() throws IOException {
        var needed = look(NOT_MADE, NeededTopic.of("never", 1));
        Deadline.until("said", () -> said().contains("never"));
        needed.close();
        assertThat(waits.now()).isEmpty();
    }

    @Test
    void replicasOutOfBoundsNameTheirKey() {
        assertThatThrownBy(() -> new NeededTopics.Making(true, 0)).hasMessageContaining("tarpon.topics.replicas=0");
    }

    @Test
    void onThreeBrokersAMessageMustBeOnTwo() {
        var topic = NeededTopic.of("plans", 12);
        var lax = Map.of(
                "cleanup.policy",
                "delete",
                "unclean.leader.election.enable",
                "false",
                "retention.ms",
                "604800000",
                "min.insync.replicas",
                "1");
        assertThat(topic.wrong(2, lax::get)).isEmpty();
        assertThat(topic.wrong(3, lax::get)).containsExactly("min.insync.replicas is 1, and must be at least 2");
        assertThat(topic.wrong(3, topic.made(3)::get)).isEmpty();
    }

    private NeededTopics look(NeededTopics.Making making, NeededTopic... topics) {
        return NeededTopics.look(Map.of("bootstrap.servers", kafka.brokers()), making, patience(), List.of(topics));
    }

    private Patience patience() {
        var pauses = new Pauses(Duration.ofMillis(50), Duration.ofMillis(200));
        return new Patience(pauses, _ -> true, waits, () -> false);
    }

    private String said() {
        return waits.now().toString();
    }

    private static void make(String topic, int partitions, Map<String, String> settings) throws Exception {
        try (var admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
        }
    }

    private static void set(String topic, Map<String, String> settings) throws Exception {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        var changes = settings.entrySet().stream()
                .map(it -> new AlterConfigOp(new ConfigEntry(it.getKey(), it.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        try (var admin = admin()) {
            admin.incrementalAlterConfigs(Map.of(resource, changes)).all().get();
        }
    }

    private static String setting(String topic, String key) throws Exception {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (var admin = admin()) {
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .get(key)
                    .value();
        }
    }

    /// 0 where it is not there.
    private static int partitions(String topic) throws Exception {
        try (var admin = admin()) {
            var names = admin.listTopics().names().get();
            return names.contains(topic) ? described(kafka, topic).partitions().size() : 0;
        }
    }

    private static TopicDescription described(KafkaProcess broker, String topic) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", broker.brokers()))) {
            return admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
        }
    }

    private static Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.brokers()));
    }
}
