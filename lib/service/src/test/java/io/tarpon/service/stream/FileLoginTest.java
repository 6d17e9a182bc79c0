package io.tarpon.service.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.security.scram.ScramLoginModule;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that live through a change of their password, against a real broker.
@Timeout(180)
class FileLoginTest {
    private static final String USER = "shard-fn";
    private static final TopicPartition PLANS = new TopicPartition("tarpon.plans", 0);

    @TempDir
    Path folder;

    private int port;
    private KafkaProcess kafka;
    private Brokers brokers;

    @BeforeEach
    void start() throws Exception {
        port = KafkaProcess.freePort();
        kafka = KafkaProcess.startWithLogins(folder.resolve("kafka"), port);
        try (var admin = admin()) {
            admin.createTopics(List.of(new NewTopic(PLANS.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }
        write("username", USER);
        brokers = BrokersTest.brokers(Map.of(
                "kafka.bootstrap.servers",
                "127.0.0.1:" + port,
                "kafka.security.protocol",
                "SASL_PLAINTEXT",
                "tarpon.kafka.username-file",
                folder.resolve("username").toString(),
                "tarpon.kafka.password-file",
                folder.resolve("password").toString()));
    }

    @AfterEach
    void stop() {
        kafka.close();
    }

    @Test
    void clientsOutliveAChangedPassword() throws Exception {
        setPassword("the first one");
        write("password", "the first one\n");
        try (var producer = producer();
                var consumer = consumer()) {
            send(producer, "before");
            assertThat(read(consumer)).isEqualTo("before");

            setPassword("the second one");
            write("password", "the second one");
            breakConnections();

            send(producer, "after");
            assertThat(read(consumer)).isEqualTo("after");
        }
    }

    @Test
    void aClientThatWasRefusedGoesOnOnceItsFileIsRight() throws Exception {
        setPassword("the first one");
        write("password", "the first one");
        try (var producer = producer()) {
            send(producer, "before");
            setPassword("the second one");
            breakConnections();
            Deadline.until(Duration.ofSeconds(60), "refused", () -> isRefused(producer));

            write("password", "the second one");

            Deadline.until(Duration.ofSeconds(60), "let in", () -> !isRefused(producer));
        }
    }

    @Test
    void whileAFileIsAwayTheLoginReadBeforeStays() throws Exception {
        setPassword("the only one");
        write("password", "the only one");
        try (var producer = producer()) {
            send(producer, "before");
            Files.delete(folder.resolve("password"));
            breakConnections();
            send(producer, "after");
        }
    }

    @Test
    void aFileThatWasNeverThereIsNamed() throws Exception {
        setPassword("the only one");
        try (var producer = producer()) {
            assertThatThrownBy(() -> send(producer, "never"))
                    .hasStackTraceContaining(
                            "tarpon.kafka.password-file " + folder.resolve("password") + " is not there");
        }
    }

    private static boolean isRefused(Producer<byte[], byte[]> producer) throws Exception {
        try {
            send(producer, "during");
            return false;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(AuthenticationException.class);
            return true;
        } catch (AuthenticationException e) {
            return true;
        }
    }

    private static void send(Producer<byte[], byte[]> producer, String value) throws Exception {
        producer.send(new ProducerRecord<>(PLANS.topic(), value.getBytes(UTF_8)))
                .get(60, TimeUnit.SECONDS);
    }

    private static String read(Consumer<byte[], byte[]> consumer) {
        for (int look = 0; look < 600; look++) {
            for (var record : consumer.poll(Duration.ofMillis(100))) {
                return new String(record.value(), UTF_8);
            }
        }
        throw new AssertionError("no record came");
    }

    private Producer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                brokers.clients(Map.of("enable.idempotence", true, "acks", "all", "max.block.ms", 30_000)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private Consumer<byte[], byte[]> consumer() {
        var consumer = new KafkaConsumer<>(
                brokers.clients(Map.of("auto.offset.reset", "earliest")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(PLANS));
        return consumer;
    }

    private void breakConnections() throws IOException {
        kafka.kill();
        kafka.startAgain();
    }

    private void write(String name, String secret) throws IOException {
        var fresh = Files.writeString(folder.resolve(name + ".new"), secret);
        Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /// Returns once the broker takes it: the answer to a change comes before that.
    private void setPassword(String password) throws Exception {
        var info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
        try (var admin = admin()) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(USER, info, password)))
                    .all()
                    .get();
        }
        Deadline.until("the broker takes the password", () -> isTaken(password));
    }

    private boolean isTaken(String password) throws Exception {
        try (var admin = Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                ScramLoginModule.class.getName() + " required username=\"" + USER + "\" password=\"" + password
                        + "\";"))) {
            admin.listTopics().names().get();
            return true;
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(AuthenticationException.class);
            return false;
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.brokers()));
    }
}
