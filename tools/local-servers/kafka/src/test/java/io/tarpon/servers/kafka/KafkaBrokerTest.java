package io.tarpon.servers.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.servers.Listening;
import io.tarpon.servers.Ports;
import io.tarpon.servers.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
    private static final int HEAP_MIB = 256;
    private static final String TOPIC = "tarpon.uploads";

    @TempDir
    private static Path dataDir;

    private static ServerProcess broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = start(dataDir);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private static ServerProcess start(Path dataDir) throws Exception {
        return ServerProcess.start(
                KafkaBroker.class,
                HEAP_MIB,
                "--data-dir",
                dataDir.toString(),
                "--topic",
                TOPIC + ":4",
                "--topic",
                "log:1");
    }

    @Test
    void acknowledgedRecordsOutliveStopAndKill(@TempDir Path ownDir) throws Exception {
        try (ServerProcess first = start(ownDir)) {
            produce(first, 0, 50);
        }
        ServerProcess second = start(ownDir);
        produce(second, 50, 100);
        second.kill();
        try (ServerProcess third = start(ownDir)) {
            assertThat(consume(third, 100))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 100).mapToObj(Integer::toString).toList());
        }
    }

    @Test
    void dumpPrintsEveryRecordOfATopicOnce(@TempDir Path ownDir) throws Exception {
        try (ServerProcess own = start(ownDir)) {
            produce(own, 0, 30);
            ServerProcess.Ended dump =
                    ServerProcess.refused(TopicDump.class, "--broker", bootstrap(own), "--topic", TOPIC);
            assertThat(dump.status()).as(dump.err()).isZero();
            assertThat(dump.out().lines().map(KafkaBrokerTest::value))
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 30).mapToObj(Integer::toString).toList());
            ServerProcess.Ended other =
                    ServerProcess.refused(TopicDump.class, "--broker", bootstrap(own), "--topic", "other");
            assertThat(other.status()).isEqualTo(1);
            assertThat(other.err()).contains("other");
        }
    }

    @Test
    void produceTimesPrintsANumberForEveryRecord(@TempDir Path ownDir) throws Exception {
        try (ServerProcess own = start(ownDir)) {
            ServerProcess.Ended times = ServerProcess.refused(
                    ProduceTimes.class, "--broker", bootstrap(own), "--topic", "times", "--records", "40");
            assertThat(times.status()).as(times.err()).isZero();
            assertThat(times.out().lines().map(Long::valueOf)).hasSize(40).allMatch(nanos -> nanos > 0);
            ServerProcess.Ended dump =
                    ServerProcess.refused(TopicDump.class, "--broker", bootstrap(own), "--topic", "times");
            assertThat(dump.out().lines()).hasSize(80);
        }
    }

    private static String value(String line) {
        String base64 = line.replaceAll(".*\"value\":\"([^\"]*)\".*", "$1");
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    @Test
    void topicsAreThereWithTheirPartitionsAndNoneComesByItself() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap(broker)))) {
            assertThat(partitions(admin, TOPIC)).isEqualTo(4);
            assertThat(partitions(admin, "log")).isEqualTo(1);
            assertThatThrownBy(() -> partitions(admin, "other"))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    @Test
    void onThePortForLoginsOnlyKnownUsersAreLetIn(@TempDir Path ownDir) throws Exception {
        int port = Ports.claim("127.0.0.1", 0);
        try (ServerProcess own = ServerProcess.start(
                        KafkaBroker.class,
                        HEAP_MIB,
                        "--data-dir",
                        ownDir.toString(),
                        "--sasl-port",
                        Integer.toString(port));
                Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap(own)))) {
            var info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("me", info, "my password")))
                    .all()
                    .get();
            try (Admin known = login(port, "my password");
                    Admin stranger = login(port, "a guess")) {
                assertThat(known.listTopics().names().get()).isEmpty();
                assertThatThrownBy(() -> stranger.listTopics().names().get())
                        .hasCauseInstanceOf(SaslAuthenticationException.class);
            }
        }
    }

    private static Admin login(int port, String password) {
        return Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"me\" password=\""
                        + password + "\";"));
    }

    private static int partitions(Admin admin, String topic) throws Exception {
        return admin.describeTopics(List.of(topic))
                .topicNameValues()
                .values()
                .iterator()
                .next()
                .get(30, TimeUnit.SECONDS)
                .partitions()
                .size();
    }

    @Test
    void everySocketIsOnLoopback() throws Exception {
        assumeTrue(Listening.known(), "needs /proc/net/tcp");
        assertThat(Listening.addresses(broker.pid())).hasSize(2).isSubsetOf(Listening.LOOPBACK);
    }

    @Test
    void takenPortIsRefusedInOneLine(@TempDir Path ownDir) throws Exception {
        ServerProcess.Ended ended = ServerProcess.refused(
                KafkaBroker.class, "--data-dir", ownDir.toString(), "--port", Integer.toString(broker.port()));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("kafka: cannot listen on 127.0.0.1:" + broker.port())
                .hasLineCount(1);
    }

    @Test
    void secondBrokerOnTheSameDirectoryIsRefusedInOneLine() throws Exception {
        ServerProcess.Ended ended = ServerProcess.refused(KafkaBroker.class, "--data-dir", dataDir.toString());
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .isEqualTo("kafka: --data-dir " + dataDir + " is in use by another broker: stop it or give another");
    }

    @Test
    void badTopicIsRefusedInOneLine(@TempDir Path ownDir) throws Exception {
        ServerProcess.Ended ended =
                ServerProcess.refused(KafkaBroker.class, "--data-dir", ownDir.toString(), "--topic", "plans:none");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err())
                .isEqualTo("kafka: partitions of --topic plans must be a number from 1 to 1000, not \"none\"");
    }

    private static String bootstrap(ServerProcess broker) {
        return "127.0.0.1:" + broker.port();
    }

    private static void produce(ServerProcess broker, int from, int to) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrap(broker), "acks", "all");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (int i = from; i < to; i++) {
                producer.send(new ProducerRecord<>(TOPIC, "key" + i, Integer.toString(i)))
                        .get(30, TimeUnit.SECONDS);
            }
        }
    }

    /// Through a group, so that the broker's own topics are needed too.
    private static List<String> consume(ServerProcess broker, int count) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap(broker));
        config.put("group.id", "readers");
        config.put("auto.offset.reset", "earliest");
        List<String> values = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (values.size() < count && System.nanoTime() < deadline) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
            consumer.commitSync();
        }
        return values;
    }
}
