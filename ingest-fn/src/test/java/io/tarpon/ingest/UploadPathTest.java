package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The service as it runs, its HTTP port and a real broker.
@QuarkusTest
@QuarkusTestResource(IngestSurroundings.class)
class UploadPathTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    SmallMetadata metadata;

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String broker;

    @ConfigProperty(name = "tarpon.metadata.url")
    URI metadataUrl;

    @ConfigProperty(name = "tarpon.directory-roots")
    String sources;

    private final String id = UUID.randomUUID().toString();
    private Path source;

    @BeforeEach
    void makeSource() throws Exception {
        source = Files.createDirectory(Path.of(sources, id));
        Files.writeString(source.resolve("a.cls"), "1");
        Files.writeString(source.resolve("a.jpg"), "jpeg");
        Files.writeString(source.resolve("b.jpg"), "jpeg");
    }

    @Test
    void anUploadByHttpBecomesAPlannedVersionAndItsMessages() throws Exception {
        var answer = post(structured(id, data(reference())), "Content-Type", Events.CONTENT_TYPE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("{\"id\":\"" + id + "\"}");

        var version = begun(id);
        var message = record("tarpon.plans", record -> subject(record).startsWith("demo/" + version.version() + "/"));
        var shard = (ShardPlanned) Events.decode(message.value()).data();
        assertThat(new String(message.key(), UTF_8)).isEqualTo(shard.ref().path());
        assertThat(header(message, "content-type")).isEqualTo(Events.CONTENT_TYPE);
        assertThat(shard.samples()).isEqualTo(2);
        assertThat(version.spec().source()).isEqualTo(reference());
        assertThat(metrics()).containsPattern("tarpon_ingest_planned_samples_total [1-9]");
    }

    @Test
    void aBinaryEventIsTakenToo() throws Exception {
        var answer = post(
                data(reference()),
                "Content-Type",
                "application/json",
                "ce-id",
                id + "%20x",
                "ce-source",
                "/test",
                "ce-specversion",
                "1.0",
                "ce-type",
                DatasetUploaded.TYPE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(begun(id + " x").inputs()).isNotNull();
    }

    @Test
    void withoutTheTokenNothingIsTaken() throws Exception {
        var event = structured(id, data(reference()));
        for (var authorization : new String[] {"Bearer wrong", "Basic " + IngestSurroundings.TOKEN, ""}) {
            var answer = send(event, Map.of("Content-Type", Events.CONTENT_TYPE, "Authorization", authorization));
            problem(answer, 401, "unauthorized", "Bearer");
        }
    }

    @Test
    void whatCannotBeIsSaidAtOnce() throws Exception {
        var empty = Files.createDirectory(Path.of(sources, id + "-empty"));
        problem(bad(data("http://169.254.169.254/x")), 400, "bad-parameter", "169.254.169.254");
        problem(bad(data("file:///etc")), 400, "bad-parameter", "file:///etc");
        problem(bad(data(reference() + "-gone")), 400, "bad-parameter", id + "-gone");
        problem(bad(data(uri(empty))), 400, "bad-parameter", "is empty");
        problem(bad(data(uri(source.resolve("a.jpg")))), 400, "bad-parameter", "a.jpg");
        problem(bad(spec("\"splits\":\"train=2\"")), 400, "bad-parameter", "train=0.9,val=0.1");
        problem(bad(spec("\"shardBytes\":5")), 400, "bad-parameter", "shardBytes 5");
        problem(bad(spec("\"shardSize\":1")), 400, "bad-parameter", "shardSize");
        problem(bad("{\"source\":\"" + reference() + "\",\"dataset\":\"No\"}"), 400, "bad-parameter", "'No'");
        problem(post("[]", "Content-Type", "application/cloudevents-batch+json"), 400, "bad-parameter", "batch");
        problem(post("{}", "Content-Type", "application/json"), 400, "bad-parameter", "not a CloudEvent");
    }

    @Test
    void aBodyOverOneMebibyteIsRefusedHoweverItIsSent() throws Exception {
        var bytes = new byte[(1 << 20) + 1];
        problem(sendBytes(BodyPublishers.ofByteArray(bytes)), 413, "payload-too-large", "1048576");
        problem(
                sendBytes(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))),
                413,
                "payload-too-large",
                "1048576");
    }

    @Test
    void otherPathsAndMethodsAreProblemsToo() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var get = http.send(HttpRequest.newBuilder(service).build(), BodyHandlers.ofString());
            problem(get, 405, "method-not-allowed", "POST /");
            var nowhere = http.send(
                    HttpRequest.newBuilder(service.resolve("/nowhere")).build(), BodyHandlers.ofString());
            problem(nowhere, 404, "not-found", "POST /");
        }
    }

    @Test
    void aRequestOfTwoLengthsIsRefusedAndItsConnectionClosed() throws Exception {
        try (var socket = new Socket(service.getHost(), service.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
                            .getBytes(UTF_8));
            var answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void whatIsNoUploadGoesToTheDeadLettersAsItWas() throws Exception {
        produce(new byte[] {1, 2, 3, 0}, Map.of("mine", id));
        var dead = record("tarpon.uploads.dlq", record -> id.equals(header(record, "mine")));
        assertThat(dead.value()).containsExactly(1, 2, 3, 0);
        assertThat(new String(dead.key(), UTF_8)).isEqualTo("free");
        assertThat(header(dead, "tarpon-reason")).isEqualTo("unknown-type");
        assertThat(header(dead, "tarpon-topic")).isEqualTo("tarpon.uploads");
        assertThat(metrics())
                .containsPattern(
                        "tarpon_dead_letters_total\\{reason=\"unknown-type\",topic=\"tarpon.uploads.dlq\"\\} [1-9]");
    }

    @Test
    void aMessageWithoutAValueIsALetterWithoutOne() throws Exception {
        produce(null, Map.of("mine", id, "content-type", Events.CONTENT_TYPE));
        var dead = record("tarpon.uploads.dlq", record -> id.equals(header(record, "mine")));
        assertThat(dead.value()).isNull();
        assertThat(new String(dead.key(), UTF_8)).isEqualTo("free");
        assertThat(header(dead, "tarpon-reason")).isEqualTo("unknown-type");
        assertThat(header(dead, "tarpon-detail")).contains("no value");
    }

    /// As they come from the topic; one by one they are `BadNotificationTest`'s and `UploadReadingTest`'s.
    @Test
    void whatIsBrokenGoesToTheDeadLettersAndTheNextOneIsWorkedOn() throws Exception {
        var type = Map.of("content-type", Events.CONTENT_TYPE, "mine", id);
        var good = structured(id, data(reference()));
        var broken = List.of(
                good.substring(0, good.length() - 1),
                "\ufeff" + good,
                good.replace("\"id\"", "\"id\":\"x\",\"id\""),
                good.replace("\"1.0\"", "\"0.3\""),
                good.replace("\"data\":", "\"data_base64\":\"e30=\",\"data\":"),
                good.replace("\"id\":\"" + id + "\",", ""),
                good.replace("\"demo\"", "[".repeat(10_000) + "]".repeat(10_000)),
                good.replace("\"demo\"", "\"../x\""),
                good.replace("\"demo\"", "NaN"));
        for (var event : broken) {
            produce(event.getBytes(UTF_8), type);
        }
        produce(good.getBytes(UTF_16), type);
        produce(good.getBytes(UTF_8), type);
        assertThat(begun(id).state()).isNotNull();
        // In the order of their partition, which is one.
        var letters = records("tarpon.uploads.dlq", record -> id.equals(header(record, "mine")));
        assertThat(letters)
                .hasSize(broken.size() + 1)
                .allSatisfy(
                        letter -> assertThat(header(letter, "tarpon-reason")).isEqualTo("malformed"));
        assertThat(letters.subList(0, broken.size()))
                .extracting(letter -> new String(letter.value(), UTF_8))
                .isEqualTo(broken);
    }

    /// Kafka's producer takes no record over 1 MiB, headers included.
    @Test
    void aMessageWhoseHeadersLeaveNoRoomForOursIsALetterWithoutThem() throws Exception {
        produce(id.getBytes(UTF_8), Map.of("mine", "x".repeat((1 << 20) - 300)));
        var dead = record(
                "tarpon.uploads.dlq",
                record -> !header(record, "tarpon-left-out").isEmpty());
        assertThat(dead.key()).isNull();
        assertThat(dead.value()).isNull();
        assertThat(header(dead, "mine")).isEmpty();
        assertThat(header(dead, "tarpon-value-left-out")).isEqualTo(Integer.toString(id.length()));
        assertThat(header(dead, "tarpon-topic")).isEqualTo("tarpon.uploads");
        produce(
                structured(id + "-after", data(reference())).getBytes(UTF_8),
                Map.of("content-type", Events.CONTENT_TYPE));
        begun(id + "-after");
    }

    @Test
    void anUploadOfAnUnknownSourceGoesToTheDeadLettersAndTheNextOneIsWorkedOn() throws Exception {
        var type = Map.of("content-type", Events.CONTENT_TYPE, "mine", id);
        produce(structured(id + "-a", data("s3://evil/prefix")).getBytes(UTF_8), type);
        produce(structured(id + "-b", "{\"source\":1}").getBytes(UTF_8), type);
        produce(structured(id + "-c", data(reference())).getBytes(UTF_8), type);
        assertThat(begun(id + "-c").state()).isNotNull();
        var unknown = record("tarpon.uploads.dlq", isOurs("unknown-source"));
        assertThat(header(unknown, "tarpon-detail")).contains("s3://evil/prefix");
        assertThat(record("tarpon.uploads.dlq", isOurs("malformed")).value()).isNotEmpty();
    }

    @Test
    void anUploadInBinaryModeThatComesTwiceMakesOneVersion() throws Exception {
        var headers = Map.of(
                "content-type", "application/json",
                "ce_id", id,
                "ce_source", "/test",
                "ce_specversion", "1.0",
                "ce_type", DatasetUploaded.TYPE);
        produce(data(reference()).getBytes(UTF_8), headers);
        var first = begun(id);
        produce(data(reference()).getBytes(UTF_8), headers);
        produce(
                structured(id + "-after", data(reference())).getBytes(UTF_8),
                Map.of("content-type", Events.CONTENT_TYPE));
        begun(id + "-after");
        assertThat(begun(id).version()).isEqualTo(first.version());
    }

    /// Four partitions, two consumers: half of the uploads are behind the one that waits.
    @Test
    void anUploadThatWaitsHoldsUpOnlyThoseOfItsConsumer() throws Exception {
        metadata.beAwayFor("slow");
        try {
            var type = Map.of("content-type", Events.CONTENT_TYPE);
            produce(0, structured(id, data(reference()).replace("demo", "slow")).getBytes(UTF_8), type);
            for (int partition = 0; partition < 4; partition++) {
                produce(
                        partition,
                        structured(id + "-" + partition, data(reference())).getBytes(UTF_8),
                        type);
            }
            eventually("two uploads", () -> planned() == 2 ? Optional.of(true) : Optional.empty());
            assertThat(isBegun(id + "-0")).isFalse();
        } finally {
            metadata.beAwayFor(null);
        }
        begun(id);
        eventually("all uploads", () -> planned() == 4 ? Optional.of(true) : Optional.empty());
    }

    private long planned() throws Exception {
        int planned = 0;
        for (int partition = 0; partition < 4; partition++) {
            planned += isBegun(id + "-" + partition) ? 1 : 0;
        }
        return planned;
    }

    private boolean isBegun(String requestId) throws Exception {
        try (var client = MetadataClient.readOnly(metadataUrl)) {
            return client.versionOfRequest(requestId).isPresent();
        }
    }

    @Test
    void theServiceIsReady() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var ready = http.send(
                    HttpRequest.newBuilder(service.resolve("/q/health/ready")).build(), BodyHandlers.ofString());
            assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
            assertThat(metrics())
                    .contains("tarpon_dead_letters_total{reason=\"internal\",topic=\"tarpon.uploads.dlq\"}");
        }
    }

    private Predicate<ConsumerRecord<byte[], byte[]>> isOurs(String reason) {
        return record -> id.equals(header(record, "mine")) && reason.equals(header(record, "tarpon-reason"));
    }

    private HttpResponse<String> bad(String data) throws Exception {
        return post(structured(id, data), "Content-Type", Events.CONTENT_TYPE);
    }

    private String spec(String field) {
        return "{\"source\":\"" + reference() + "\",\"dataset\":\"demo\",\"spec\":{" + field + "}}";
    }

    private static String data(String source) {
        return "{\"source\":\"" + source + "\",\"dataset\":\"demo\"}";
    }

    private String reference() {
        return uri(source);
    }

    private static String uri(Path path) {
        return "file://" + path;
    }

    private static String structured(String id, String data) {
        return "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/test\",\"type\":\"" + DatasetUploaded.TYPE
                + "\",\"data\":" + data + "}";
    }

    private HttpResponse<String> post(String body, String... headers) throws Exception {
        var all = new java.util.HashMap<String, String>();
        all.put("Authorization", "Bearer " + IngestSurroundings.TOKEN);
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return send(body, all);
    }

    private HttpResponse<String> send(String body, Map<String, String> headers) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(service).POST(BodyPublishers.ofString(body));
            headers.forEach(request::header);
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }

    private HttpResponse<String> sendBytes(HttpRequest.BodyPublisher body) throws Exception {
        try (var http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var request = HttpRequest.newBuilder(service)
                    .header("Authorization", "Bearer " + IngestSurroundings.TOKEN)
                    .header("Content-Type", Events.CONTENT_TYPE)
                    .expectContinue(false)
                    .POST(body)
                    .build();
            return http.send(request, BodyHandlers.ofString());
        }
    }

    private static void problem(HttpResponse<String> answer, int status, String type, String detail) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        var problem = Json.read(answer.body().getBytes(UTF_8), Problem.class);
        assertThat(problem.type()).isEqualTo("urn:tarpon:problem:" + type);
        assertThat(problem.detail()).contains(detail);
    }

    private String metrics() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(service.resolve("/q/metrics"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }

    /// The version of a request once it is planned.
    private VersionRecord begun(String requestId) throws Exception {
        try (var metadata = MetadataClient.readOnly(metadataUrl)) {
            return eventually(
                    "version of request " + requestId,
                    () -> metadata.versionOfRequest(requestId)
                            .filter(version -> version.state() != VersionState.PLANNING));
        }
    }

    private void produce(byte @Nullable [] value, Map<String, String> headers) throws Exception {
        produce(0, value, headers);
    }

    private void produce(int partition, byte @Nullable [] value, Map<String, String> headers) throws Exception {
        var settings = Map.<String, Object>of("bootstrap.servers", broker);
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            var record = new ProducerRecord<>("tarpon.uploads", partition, "free".getBytes(UTF_8), value);
            headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
            producer.send(record).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private ConsumerRecord<byte[], byte[]> record(String topic, Predicate<ConsumerRecord<byte[], byte[]>> wanted)
            throws Exception {
        var settings = Map.<String, Object>of("bootstrap.servers", broker);
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return eventually("record of " + topic, () -> {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    if (wanted.test(record)) {
                        return Optional.of(record);
                    }
                }
                return Optional.empty();
            });
        }
    }

    /// All that are there now.
    private List<ConsumerRecord<byte[], byte[]>> records(
            String topic, Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
        var settings = Map.<String, Object>of("bootstrap.servers", broker);
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            while (consumer.position(partition) < end) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    if (wanted.test(record)) {
                        found.add(record);
                    }
                }
            }
            return found;
        }
    }

    private interface Look<T> {
        Optional<T> look() throws Exception;
    }

    private static <T> T eventually(String what, Look<T> look) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            var found = look.look();
            if (found.isPresent()) {
                return found.get();
            }
            LockSupport.parkNanos(20_000_000);
        }
        return fail("no " + what + " within " + PATIENCE);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        var header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), UTF_8);
    }

    private static String subject(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), UTF_8);
    }
}
