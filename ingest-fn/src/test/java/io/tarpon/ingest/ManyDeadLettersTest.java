package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// More dead letters than one answer holds, in two partitions of a real broker.
@QuarkusTest
@QuarkusTestResource(IngestSurroundings.class)
class ManyDeadLettersTest {
    private static final int LETTERS = 2_500;
    private static final String TOPIC = "tarpon.plans";
    private static final String DEAD = TOPIC + ".dlq";

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String broker;

    @Test
    void allAreShownPageByPageAndAllArePutBackOnce() throws Exception {
        bury(LETTERS);
        var shown = pages(700);
        assertThat(shown).hasSize(LETTERS).allMatch(letter -> letter.retriedAt() == null);
        assertThat(new HashSet<>(shown)).hasSize(LETTERS);
        assertThat(shown).extracting(DeadLetter::at).isSortedAccordingTo((a, b) -> b.compareTo(a));

        // One of them by itself: it is not put back with the others.
        var alone = shown.get(1_800).id();
        assertThat(post("/v1/dead-letters/" + alone + "/retry").statusCode()).isEqualTo(200);
        var first = putBack("");
        assertThat(first.ids()).hasSize(1_000);
        assertThat(first.next()).isNotNull();
        // What dies meanwhile is none of those that this goes through.
        bury(10);
        var ids = new ArrayList<>(first.ids());
        var next = first.next();
        while (next != null) {
            var step = putBack("&from=" + next);
            ids.addAll(step.ids());
            next = step.next();
        }
        assertThat(ids).hasSize(LETTERS - 1).doesNotContain(alone).doesNotHaveDuplicates();

        assertThat(putBackMessages())
                .hasSize(LETTERS)
                .allMatch(message -> message.headers().lastHeader("tarpon-reason") == null)
                .extracting(message -> new String(message.value(), UTF_8))
                .doesNotHaveDuplicates();
        var after = pages(1_000);
        assertThat(after).hasSize(LETTERS + 10);
        assertThat(after.subList(0, 10)).allMatch(letter -> letter.retriedAt() == null);
        assertThat(after.subList(10, after.size())).allMatch(letter -> letter.retriedAt() != null);

        assertThat(putBack("").ids()).hasSize(10);
        assertThat(putBack("")).isEqualTo(new LettersPutBack(List.of(), List.of(), null));
    }

    @Test
    void whatIsNoPlaceIsRefusedAndWithoutTheTokenNothingIsPutBack() throws Exception {
        assertThat(get("?before=tarpon.plans/0/1").statusCode()).isEqualTo(400);
        assertThat(get("?before=tarpon.plans.dlq/0/1&from=1").statusCode()).isEqualTo(400);
        assertThat(post("/v1/dead-letters/retry?from=tarpon.plans.dlq/0/1").statusCode())
                .isEqualTo(400);
        var open = HttpRequest.newBuilder(service.resolve("/v1/dead-letters/retry"))
                .POST(BodyPublishers.noBody())
                .build();
        assertThat(send(open).statusCode()).isEqualTo(401);
    }

    /// As shard-fn would.
    private void bury(int letters) {
        var settings = Map.<String, Object>of("bootstrap.servers", broker);
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < letters; i++) {
                var value = System.nanoTime() + " " + i;
                var letter = new ProducerRecord<>(DEAD, i % 2, ("key " + i).getBytes(UTF_8), value.getBytes(UTF_8));
                letter.headers()
                        .add("tarpon-reason", "test".getBytes(UTF_8))
                        .add("tarpon-topic", TOPIC.getBytes(UTF_8));
                var _ = producer.send(letter);
            }
        }
    }

    private List<DeadLetter> pages(int limit) throws Exception {
        var letters = new ArrayList<DeadLetter>();
        var query = "?topic=" + DEAD + "&limit=" + limit;
        var page = list(query);
        letters.addAll(page.letters());
        while (page.next() != null) {
            assertThat(page.more()).isTrue();
            page = list(query + "&before=" + page.next());
            assertThat(page.letters()).hasSizeLessThanOrEqualTo(limit);
            letters.addAll(page.letters());
        }
        return letters;
    }

    private DeadLetterList list(String query) throws Exception {
        var answer = get(query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.read(answer.body().getBytes(UTF_8), DeadLetterList.class);
    }

    private LettersPutBack putBack(String query) throws Exception {
        var answer = post("/v1/dead-letters/retry?topic=" + DEAD + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.read(answer.body().getBytes(UTF_8), LettersPutBack.class);
    }

    private HttpResponse<String> get(String query) throws Exception {
        return send(HttpRequest.newBuilder(service.resolve("/v1/dead-letters" + query))
                .build());
    }

    private HttpResponse<String> post(String path) throws Exception {
        return send(HttpRequest.newBuilder(service.resolve(path))
                .header("Authorization", "Bearer " + IngestSurroundings.TOKEN)
                .POST(BodyPublishers.noBody())
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request, BodyHandlers.ofString());
        }
    }

    /// Other tests have messages of their own there.
    private List<ConsumerRecord<byte[], byte[]>> putBackMessages() {
        return records().stream()
                .filter(message -> new String(message.key(), UTF_8).startsWith("key "))
                .toList();
    }

    /// All that are there now.
    private List<ConsumerRecord<byte[], byte[]>> records() {
        var settings = Map.<String, Object>of("bootstrap.servers", broker);
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var partitions = consumer.partitionsFor(TOPIC).stream()
                    .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            }
            return found;
        }
    }
}
