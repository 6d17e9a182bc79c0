package io.tarpon.shard.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.shard.Folders;
import io.tarpon.shard.MetadataStandIn;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged service, stopped by SIGTERM in the middle of a build: its source is an S3 server that stands still.
class StopIT {
    private static final int OBJECTS = 200;
    private static final int BEFORE_THE_STOP = 40;
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);
    private static final int SIGTERM_EXIT = 143;
    private static final TopicPartition PLANS = new TopicPartition(Surroundings.TOPIC, 0);
    private static final ShardRef REF = Folders.ref(0);

    @TempDir
    Path folder;

    private final Surroundings around = new Surroundings();
    private final Map<String, byte[]> objects = new HashMap<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Process> processes = new ArrayList<>();
    private Map<String, String> config;
    private HttpServer origin;

    @BeforeEach
    void start() throws Exception {
        config = new HashMap<>(around.start());
        var random = new Random(11);
        for (int i = 0; i < OBJECTS; i++) {
            var bytes = new byte[30_000];
            random.nextBytes(bytes);
            objects.put("s%03d.bin".formatted(i), bytes);
        }
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        origin.createContext("/raw/", this::handle);
        origin.start();
        config.put("tarpon.sources.far.kind", "s3");
        config.put(
                "tarpon.sources.far.endpoint",
                "http://127.0.0.1:" + origin.getAddress().getPort());
        config.put("tarpon.sources.far.bucket", "raw");
        config.put("tarpon.sources.far.access-key-id", "any");
        config.put("tarpon.sources.far.secret-access-key", "any");
        config.put("quarkus.http.port", "0");
    }

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        for (var process : processes) {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        origin.stop(0);
        around.stop();
    }

    @Test
    void aStopHandsBackWhatIsNotDoneAndTheNextProcessBuildsTheSame() throws Exception {
        var planned = planned();
        var first = service("first");
        send(planned);
        Deadline.until("in the middle of a build", () -> reads.get() > BEFORE_THE_STOP);

        long begun = System.nanoTime();
        first.destroy();
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONGEST_STOP);
        assertThat(first.exitValue()).isEqualTo(SIGTERM_EXIT);
        assertThat(committed()).isZero();
        assertThat(metadata().isSealed(REF)).isFalse();
        assertThat(metadata().failReasons).isEmpty();
        try (var store = DirectoryStore.open(around.handle().store())) {
            store.list("", object -> assertThat(object.key()).doesNotEndWith(".tar"));
        }

        gate.countDown();
        service("second");
        Deadline.until("sealed", () -> metadata().isSealed(REF));
        Deadline.until("committed", () -> committed() == 1);
        try (var store = DirectoryStore.open(around.handle().store())) {
            var tar = store.read(metadata().record(REF).tarKey(REF), 1 << 24);
            assertThat(tar).hasSize((int) planned.bytes());
            assertThat(Digests.sha256Hex(tar)).isEqualTo(metadata().sealOf(REF).sha256());
        }
        assertThat(folder.resolve("first.log"))
                .content()
                .doesNotContain("shard not built")
                .contains("stopped in");
    }

    private MetadataStandIn metadata() {
        return around.handle().metadata();
    }

    private Process service(String name) throws IOException {
        var isExecutable = System.getProperty("tarpon.form", "").matches("native|(.*,)?shard-fn(,.*)?");
        var command = new ArrayList<String>();
        command.add((isExecutable
                        ? Path.of("target", "shard-fn-runner")
                        : Path.of(System.getProperty("java.home"), "bin", "java"))
                .toString());
        command.add("-Xmx192m");
        config.forEach((key, value) -> command.add("-D" + key + "=" + value));
        if (!isExecutable) {
            command.addAll(List.of(
                    "-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString()));
        }
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(folder.resolve(name + ".log").toFile()))
                .start();
        processes.add(process);
        return process;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (reads.incrementAndGet() > BEFORE_THE_STOP) {
                gate.await();
            }
            var bytes = objects.get(exchange.getRequestURI().getPath().substring("/raw/".length()));
            exchange.getResponseHeaders()
                    .set("ETag", exchange.getRequestHeaders().getFirst("If-Match"));
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ShardPlanned planned() throws Exception {
        var samples = new ArrayList<PlannedSample>();
        for (var key : objects.keySet().stream().sorted().toList()) {
            var bytes = objects.get(key);
            var etag = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes));
            samples.add(new PlannedSample(
                    key.substring(0, key.indexOf('.')), List.of(new PlannedMember("bin", bytes.length, key, etag))));
        }
        try (var store = DirectoryStore.open(around.handle().store())) {
            var planned = Folders.plan(store, REF, "far", samples);
            metadata().planned(planned);
            return planned;
        }
    }

    private void send(ShardPlanned planned) throws Exception {
        var envelope = new Events.Envelope("demo/v1-0", "/ingest-fn", Instant.EPOCH, Optional.empty());
        var producerConfig =
                Map.<String, Object>of("bootstrap.servers", around.handle().bootstrap(), "acks", "all");
        try (var producer = new KafkaProducer<>(producerConfig, new ByteArraySerializer(), new ByteArraySerializer())) {
            var key = planned.ref().path().getBytes(UTF_8);
            producer.send(new ProducerRecord<>(PLANS.topic(), PLANS.partition(), key, Events.encode(envelope, planned)))
                    .get();
        }
    }

    private long committed() throws Exception {
        try (var admin =
                Admin.create(Map.of("bootstrap.servers", around.handle().bootstrap()))) {
            var offsets = admin.listConsumerGroupOffsets("shard-fn")
                    .partitionsToOffsetAndMetadata()
                    .get();
            return offsets.get(PLANS) == null ? 0 : offsets.get(PLANS).offset();
        }
    }
}
