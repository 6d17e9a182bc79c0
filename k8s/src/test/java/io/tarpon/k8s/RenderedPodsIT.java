package io.tarpon.k8s;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.testkit.LocalServer;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.event.Events;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the manifests say is what runs: the services of the overlay `local`, each with exactly the variables, the
/// command and the port of its pod, make a version of a folder of a bucket, and a gateway serves it. Kafka and the
/// object store are real ones, at the addresses that the render names, with the topics that it renders and no others.
class RenderedPodsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String TOKEN = "a-token-for-one-test-only";
    private static final String ACCESS_KEY = "test-access";
    private static final String SECRET_KEY = "test-secret";
    private static final Map<String, Map<String, String>> SECRETS = Map.of(
            "tarpon-token", Map.of("token", TOKEN),
            "tarpon-s3",
                    Map.of(
                            "store-access-key-id", ACCESS_KEY,
                            "store-secret-access-key", SECRET_KEY,
                            "raw-access-key-id", ACCESS_KEY,
                            "raw-secret-access-key", SECRET_KEY));
    private static final Duration SEALED = Duration.ofMinutes(2);
    private static final int FILES = 40;
    private static final int FILE_BYTES = 50_000;

    @TempDir
    Path scratch = Path.of("");

    private final Map<String, RunningPod> pods = new LinkedHashMap<>();

    @Test
    void podsAsTheyAreRenderedMakeAVersionAndServeIt() throws Exception {
        var manifests = Manifests.render("local");
        var runs = manifests.items().stream()
                .flatMap(item -> Pods.of(item).stream())
                .flatMap(it -> it.runs(manifests).stream())
                .toList();
        assertThat(runs.stream().map(run -> run.program().name()))
                .containsExactlyInAnyOrderElementsOf(
                        Product.PROGRAMS.stream().map(Product.Program::name).toList());
        var shardFn = runs.stream()
                .filter(run -> run.program().name().equals("shard-fn"))
                .findFirst()
                .orElseThrow();
        var brokers = shardFn.value("kafka.bootstrap.servers").split(":", 2);
        var store = URI.create(shardFn.value("tarpon.store.s3.endpoint"));
        runs.forEach(run -> requireFree(run.port()));
        requireFree(Integer.parseInt(brokers[1]));
        requireFree(store.getPort());

        var bucket = shardFn.value("tarpon.sources.raw.bucket");
        var files = files(scratch.resolve("flowers"));
        try (var kafka = KafkaProcess.startAt(scratch.resolve("kafka"), Integer.parseInt(brokers[1]));
                var _ = s3(store.getPort(), shardFn)) {
            makeTopics(manifests, kafka.brokers());
            SignedUploads.put(
                    scratch.resolve("flowers"),
                    files.keySet(),
                    "http://127.0.0.1:" + store.getPort() + "/" + bucket + "/flowers/",
                    ACCESS_KEY,
                    SECRET_KEY);
            var around = new RunningPod.Surroundings(SECRETS, hosts(manifests, Set.of(brokers[0], store.getHost())));
            for (var run : runs) {
                assertThat(run.pods().replicas()).as(run.title()).isEqualTo(1);
                var name = run.pods().owner().name() + "-0";
                pods.put(
                        run.program().name(),
                        RunningPod.start(scratch.resolve("pods").resolve(name), manifests, run, name, around));
            }
            for (var pod : pods.values()) {
                pod.awaitReady();
            }
            upload(bucket);
            awaitSealed();
            assertServed(files);
            for (var pod : pods.entrySet()) {
                assertThat(pod.getValue().stop())
                        .as(pod.getKey() + " stops in its time")
                        .isTrue();
            }
        } finally {
            pods.values().forEach(RunningPod::close);
        }
    }

    /// The render says the ports, so nothing else may have them.
    private static void requireFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
        } catch (IOException e) {
            throw new AssertionError(
                    "port " + port + " is one of the manifests' and taken here: stop what has it (./tarpon down)", e);
        }
    }

    private static Map<String, byte[]> files(Path folder) throws IOException {
        Files.createDirectories(folder);
        var random = new Random(7);
        var files = new TreeMap<String, byte[]>();
        for (int number = 0; number < FILES; number++) {
            var bytes = new byte[FILE_BYTES + number];
            random.nextBytes(bytes);
            var name = "img-" + number + ".jpg";
            Files.write(folder.resolve(name), bytes);
            files.put(name, bytes);
        }
        return files;
    }

    private LocalServer s3(int port, Run run) throws IOException {
        return LocalServer.start(
                "s3",
                "io.tarpon.servers.s3.S3Server",
                192,
                "--data-dir",
                scratch.resolve("s3").toString(),
                "--port",
                Integer.toString(port),
                "--bucket",
                run.value("tarpon.store.s3.bucket"),
                "--bucket",
                run.value("tarpon.sources.raw.bucket"),
                "--access-key",
                ACCESS_KEY,
                "--secret-key",
                SECRET_KEY);
    }

    /// As Strimzi makes them, but that the one broker has them alone.
    private static void makeTopics(Manifests manifests, String brokers) throws Exception {
        var topics = new ArrayList<NewTopic>();
        for (var topic : manifests.of("KafkaTopic")) {
            topics.add(new NewTopic(topic.name(), topic.at("spec.partitions").asInt(), (short) 1)
                    .configs(Item.strings(topic.at("spec.config"))));
        }
        try (var admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers))) {
            admin.createTopics(topics).all().get();
        }
    }

    /// The names of Services and of pods that have one, and those of the servers, as Kubernetes' DNS knows them.
    private Path hosts(Manifests manifests, Set<String> servers) throws IOException {
        var names = new LinkedHashSet<>(servers);
        for (var service : manifests.of("Service")) {
            names.add(service.name());
            names.add(service.name() + "-0." + service.name());
        }
        var lines = names.stream().map(name -> "127.0.0.1 " + name).toList();
        return Files.write(scratch.resolve("hosts"), lines);
    }

    private RunningPod pod(String service) {
        var pod = pods.get(service);
        if (pod == null) {
            throw new AssertionError("there is no pod of " + service);
        }
        return pod;
    }

    private void upload(String bucket) throws Exception {
        var uploaded = new DatasetUploaded(
                "s3://" + bucket + "/flowers",
                new DatasetName("flowers"),
                new SpecOverrides(null, 1L << 20, null, null, null, null, null),
                false);
        var envelope = new Events.Envelope("flowers-1", "/test", Instant.now(), Optional.empty());
        var answer = HTTP.send(
                HttpRequest.newBuilder(pod("ingest-fn").url("/"))
                        .header("Authorization", "Bearer " + TOKEN)
                        .header("Content-Type", "application/cloudevents+json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(Events.encode(envelope, uploaded)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    }

    private void awaitSealed() throws Exception {
        Deadline.until(SEALED, "flowers@v1 is sealed", () -> {
            var version = HTTP.send(
                    HttpRequest.newBuilder(pod("metadata-svc").url("/v1/datasets/flowers/versions/v1"))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            var state = version.statusCode() == 200
                    ? JSON.readTree(version.body()).path("state").asText()
                    : "";
            assertThat(state).isNotEqualTo("failed");
            return state.equals("sealed");
        });
    }

    private void assertServed(Map<String, byte[]> files) throws Exception {
        var shards = List.copyOf(json("/v1/datasets/flowers/v1/train/shards")
                .path("shards")
                .valueStream()
                .toList());
        assertThat(shards).hasSizeGreaterThan(1);
        for (var shard : shards) {
            var bytes = get("/d/flowers/v1/train/" + shard.path("name").asText() + ".tar");
            assertThat(Digests.sha256Hex(bytes)).isEqualTo(shard.path("sha256").asText());
        }
        for (var file : files.entrySet()) {
            assertThat(get("/d/flowers/v1/train/keys/" + file.getKey()))
                    .as(file.getKey())
                    .isEqualTo(file.getValue());
        }
    }

    private JsonNode json(String path) throws Exception {
        return JSON.readTree(new String(get(path), UTF_8));
    }

    private byte[] get(String path) throws Exception {
        var answer = HTTP.send(
                HttpRequest.newBuilder(pod("loader-gateway").url(path)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }
}
