package io.tarpon.shard.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.service.stream.LetterHeaders;
import io.tarpon.shard.DeadReason;
import io.tarpon.shard.Folders;
import io.tarpon.shard.MetadataStandIn;
import io.tarpon.shard.Outcome;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.event.TarponEvent.VersionRemoved;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(Surroundings.class)
class PlanMessagesTest {
    /// `message.max.bytes` of a broker, the batch's own bytes included.
    private static final int MOST_BYTES = 1_048_588;

    private static final Duration STRANGERS_POLL = Duration.ofMillis(50);
    private static final Pattern WAIT = Pattern.compile("(demo/v1/train/shard-[0-9]+)[^,]*since ([^,]+),");
    private static final TopicPartition PLANS = new TopicPartition(Surroundings.TOPIC, 0);

    Surroundings.Handle at;

    @TestHTTPResource
    URL http;

    @Test
    void poisonGoesToTheDeadLettersAndHoldsUpNothing() throws Exception {
        var planned = planned(1);
        int letters = deadLetters().size();
        send("poison", "{\"specversion\":".getBytes(UTF_8));
        send("stray", event(new VersionRemoved(planned.dataset(), planned.version(), 1, "not for this topic")));
        send("tombstone", null);
        send(planned.ref().path(), event(planned));
        Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));

        var all = deadLetters();
        var found = all.subList(letters, all.size());
        assertThat(found)
                .extracting(letter -> new String(letter.key(), UTF_8))
                .containsExactly("poison", "stray", "tombstone");
        assertThat(found)
                .allSatisfy(letter ->
                        assertThat(header(letter, LetterHeaders.REASON)).isEqualTo("malformed"));
        assertThat(found.getFirst().value()).isEqualTo("{\"specversion\":".getBytes(UTF_8));
        assertThat(header(found.get(1), LetterHeaders.DETAIL)).contains(VersionRemoved.TYPE);
        assertThat(metrics())
                .contains("tarpon_dead_letters_total{reason=\"malformed\",topic=\"tarpon.plans\"}")
                .contains("tarpon_shard_built_total{result=\"sealed\"}")
                .contains("tarpon_shard_build_seconds_count");
    }

    /// As large as a topic takes them, plain or compressed, and then with headers of ours and without compression.
    @Test
    void poisonThatFitsNoLetterAsItIsHoldsUpNothingEither() throws Exception {
        var planned = planned(4);
        int letters = deadLetters().size();
        sendLarge("none", new ProducerRecord<>(PLANS.topic(), PLANS.partition(), bytes(9), bytes(MOST_BYTES - 200)));
        sendLarge("gzip", new ProducerRecord<>(PLANS.topic(), PLANS.partition(), bytes(9), bytes(6 << 20)));
        var headed = new ProducerRecord<>(PLANS.topic(), PLANS.partition(), bytes(1 << 20), bytes(10));
        headed.headers().add("large", bytes(2 << 20));
        sendLarge("gzip", headed);
        send(planned.ref().path(), event(planned));
        Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));

        var all = deadLetters();
        var found = all.subList(letters, all.size());
        assertThat(found)
                .extracting(letter -> header(letter, LetterHeaders.REASON))
                .containsOnly("malformed");
        assertThat(found)
                .extracting(letter -> LetterHeaders.number(letter.headers(), LetterHeaders.LEFT_OUT))
                .containsExactly(Optional.of(MOST_BYTES - 200L), Optional.of(6L << 20), Optional.of(10L));
        assertThat(found.get(0).key()).isEqualTo(bytes(9));
        assertThat(found.get(2).key()).isNull();
        assertThat(get("/q/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void aShardThatCannotBeBuiltIsADeadLetterWithItsBytes() throws Exception {
        var planned = planned(2);
        int letters = deadLetters().size();
        Files.delete(at.in().resolve("shard2.bin"));
        var bytes = event(planned);
        send(planned.ref().path(), bytes);
        Deadline.until("dead letter", () -> deadLetters().size() > letters);

        var letter = deadLetters().getLast();
        assertThat(header(letter, LetterHeaders.REASON)).isEqualTo("source-changed");
        assertThat(header(letter, LetterHeaders.DETAIL)).contains("shard2.bin");
        assertThat(letter.value()).isEqualTo(bytes);
        assertThat(at.metadata().failReasons).anyMatch(reason -> reason.contains("shard2.bin"));
        at.metadata().state = VersionState.BUILDING;
    }

    @Test
    void metadataAwayForLongCostsTimeAndNoShard() throws Exception {
        troubleCostsTimeAndNoShard(
                40,
                () -> at.metadata().trouble.set(MetadataStandIn.SILENT),
                () -> at.metadata().trouble.set(0));
    }

    @Test
    void aTokenThatIsNotTakenUntilItsFileIsReplacedCostsTimeAndNoShard() throws Exception {
        troubleCostsTimeAndNoShard(
                41, () -> at.metadata().token = "the-next-token-of-the-tests", () -> replaceToken(at.metadata().token));
        at.metadata().token = MetadataStandIn.TOKEN;
        replaceToken(MetadataStandIn.TOKEN);
    }

    private void replaceToken(String token) throws IOException {
        var next = Files.writeString(at.token().resolveSibling("token.next"), token);
        Files.move(next, at.token(), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void aStoreThatIsAwayForAWhileCostsTimeAndNoShard() throws Exception {
        var away = at.store().resolveSibling("away");
        troubleCostsTimeAndNoShard(42, () -> Files.move(at.store(), away), () -> Files.move(away, at.store()));
    }

    private interface Change {
        void make() throws IOException;
    }

    /// Twice as many failures in a row as there were attempts when there was a limit of them.
    private void troubleCostsTimeAndNoShard(int number, Change begin, Change end) throws Exception {
        var planned = planned(number);
        int letters = deadLetters().size();
        Deadline.until("ready", () -> get("/q/health/ready").statusCode() == 200);
        begin.make();
        long next;
        try {
            next = send(planned.ref().path(), event(planned)) + 1;
            Deadline.until("20 failures", () -> failures(planned) >= 20);
            assertThat(get("/q/health/ready"))
                    .returns(503, HttpResponse::statusCode)
                    .satisfies(answer ->
                            assertThat(answer.body()).contains(planned.ref().path()));
            assertThat(get("/q/health/live").statusCode()).isEqualTo(200);
            assertThat(committed()).isLessThan(next);
        } finally {
            end.make();
        }
        Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));
        Deadline.until("committed", () -> committed() == next);
        Deadline.until("ready again", () -> get("/q/health/ready").statusCode() == 200);
        assertThat(deadLetters()).hasSize(letters);
        assertThat(at.metadata().failReasons)
                .noneMatch(reason -> reason.contains(planned.shard().toString()));
    }

    /// Of a shard that is waited for, as readiness says.
    private int failures(ShardPlanned planned) throws Exception {
        var said = Pattern.compile(Pattern.quote(planned.ref().path()) + "[^,]*, ([0-9]+) failures")
                .matcher(get("/q/health/ready").body());
        return said.find() ? Integer.parseInt(said.group(1)) : 0;
    }

    @Test
    void theOffsetIsCommittedAfterTheSealAndNotBefore() throws Exception {
        var planned = planned(3);
        at.metadata().seals.drainPermits();
        long end = send(planned.ref().path(), event(planned)) + 1;
        Deadline.until("seal asked for", at.metadata().seals::hasQueuedThreads);
        // Three of the commit's intervals, in which nothing may happen.
        Deadline.always(Duration.ofSeconds(3), "not committed", () -> committed() < end);
        at.metadata().seals.release(1_000_000);
        Deadline.until("committed", () -> committed() == end);
        assertThat(at.metadata().isSealed(planned.ref())).isTrue();
    }

    @Test
    void asManyShardsAreInWorkAsConfiguredAndNoMore() throws Exception {
        at.metadata().seals.drainPermits();
        var shards = new ArrayList<ShardPlanned>();
        for (int partition = 0; partition < Surroundings.PARTITIONS; partition++) {
            var planned = planned(10 + partition);
            shards.add(planned);
            send(partition, planned.ref().path(), event(planned));
        }
        Deadline.until("two in work", () -> at.metadata().seals.getQueueLength() == 2);
        Deadline.always(
                Duration.ofSeconds(1), "no third", () -> at.metadata().seals.getQueueLength() == 2);
        at.metadata().seals.release(1_000_000);
        for (var planned : shards) {
            Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));
        }
    }

    @Test
    void aRebalanceInTheMiddleOfABuildLeavesOneShardAndLosesNoOffset() throws Exception {
        var planned = planned(20);
        int letters = deadLetters().size();
        at.metadata().seals.drainPermits();
        long end = send(planned.ref().path(), event(planned)) + 1;
        Deadline.until("seal asked for", at.metadata().seals::hasQueuedThreads);
        try (var admin = Admin.create(Map.of("bootstrap.servers", at.bootstrap()))) {
            // Every consumer is put out and comes back: what is in work is handed out again.
            admin.removeMembersFromConsumerGroup("shard-fn", new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
            Deadline.until(
                    "all back",
                    () ->
                            admin
                                            .describeConsumerGroups(List.of("shard-fn"))
                                            .all()
                                            .get()
                                            .get("shard-fn")
                                            .members()
                                            .stream()
                                            .mapToInt(member -> member.assignment()
                                                    .topicPartitions()
                                                    .size())
                                            .sum()
                                    == Surroundings.PARTITIONS);
        }
        at.metadata().seals.release(1_000_000);
        Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));
        Deadline.until("committed", () -> committed() == end);

        var after = planned(21);
        send(after.ref().path(), event(after));
        Deadline.until("the next is built", () -> at.metadata().isSealed(after.ref()));
        assertThat(deadLetters()).hasSize(letters);
        assertThat(at.metadata().failReasons).noneMatch(reason -> reason.contains("shard-000020"));
    }

    @Test
    void whoJoinsTakesItsShareAndTheBuildsOfTheRestGoOn() throws Exception {
        int letters = deadLetters().size();
        at.metadata().trouble.set(MetadataStandIn.SILENT);
        var shards = new ArrayList<ShardPlanned>();
        for (int partition = 0; partition < Surroundings.PARTITIONS; partition++) {
            var planned = planned(50 + partition);
            shards.add(planned);
            send(partition, planned.ref().path(), event(planned));
        }
        Deadline.until("two are waited for", () -> waitedForSince().size() == 2);
        var before = waitedForSince();

        try (var one = stranger();
                var other = stranger()) {
            Deadline.until("half is theirs, and the rest was left", () -> {
                one.poll(STRANGERS_POLL);
                other.poll(STRANGERS_POLL);
                var taken = new HashSet<>(one.assignment());
                taken.addAll(other.assignment());
                var lost = taken.stream()
                        .map(partition ->
                                shards.get(partition.partition()).ref().path())
                        .toList();
                var now = waitedForSince();
                return taken.size() == 2
                        && now.size() == 2
                        && now.keySet().stream().noneMatch(lost::contains)
                        && before.entrySet().stream()
                                .filter(wait -> !lost.contains(wait.getKey()))
                                .allMatch(wait -> wait.getValue().equals(now.get(wait.getKey())));
            });
        }
        at.metadata().trouble.set(0);

        for (var planned : shards) {
            Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));
        }
        assertThat(deadLetters()).hasSize(letters);
        assertThat(at.metadata().failReasons).noneMatch(reason -> reason.contains("shard-00005"));
    }

    /// Another member of the group, which builds nothing and commits nothing.
    private KafkaConsumer<byte[], byte[]> stranger() {
        var config = Map.<String, Object>of(
                "bootstrap.servers",
                at.bootstrap(),
                "group.id",
                "shard-fn",
                "enable.auto.commit",
                false,
                "partition.assignment.strategy",
                CooperativeStickyAssignor.class.getName());
        var stranger = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        stranger.subscribe(List.of(Surroundings.TOPIC));
        return stranger;
    }

    /// The shards that readiness says are waited for, and since when.
    private Map<String, String> waitedForSince() throws Exception {
        var found = new HashMap<String, String>();
        var waits = WAIT.matcher(get("/q/health/ready").body());
        while (waits.find()) {
            found.put(waits.group(1), waits.group(2));
        }
        return found;
    }

    @Test
    void theTraceOfTheUploadGoesOnToTheSeal() throws Exception {
        var planned = planned(30);
        var parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        var envelope = new Events.Envelope("demo/v1-30", "/ingest-fn", Instant.EPOCH, Optional.of(parent));
        send(planned.ref().path(), Events.encode(envelope, planned));
        Deadline.until("sealed", () -> at.metadata().isSealed(planned.ref()));

        assertThat(at.metadata().traces).contains(parent);
    }

    @Test
    void whatCanBeCountedShowsFromTheStart() throws Exception {
        var found = metrics();
        for (var result : Outcome.RESULTS) {
            assertThat(found).contains("tarpon_shard_built_total{result=\"" + result + "\"}");
        }
        for (var reason : DeadReason.values()) {
            assertThat(found)
                    .contains("tarpon_dead_letters_total{reason=\"" + reason.wireName() + "\",topic=\"tarpon.plans\"}");
        }
        assertThat(found).contains("tarpon_shard_build_seconds_count");
    }

    @Test
    void aRequestOfTwoLengthsIsRefused() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), http.getPort())) {
            socket.getOutputStream()
                    .write(
                            "POST /q/health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, identity\r\nContent-Length: 3\r\n\r\nabc"
                                    .getBytes(UTF_8));
            var answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400").contains("bad-parameter");
        }
    }

    @Test
    void readyWhenItsChannelsAre() throws Exception {
        Deadline.until("ready", () -> get("/q/health/ready").statusCode() == 200);
    }

    /// A shard of one file of its own.
    private ShardPlanned planned(int number) throws IOException {
        Files.writeString(at.in().resolve("shard" + number + ".bin"), "contents " + number);
        try (var store = DirectoryStore.open(at.store());
                var source = new DirectorySource(at.in())) {
            var samples = Folders.samples(source).stream()
                    .filter(sample -> sample.key().equals("shard" + number))
                    .toList();
            var planned = Folders.plan(store, Folders.ref(number), "in", samples);
            at.metadata().planned(planned);
            return planned;
        }
    }

    private static byte[] event(TarponEvent event) {
        return Events.encode(new Events.Envelope("1-0", "/ingest-fn", Instant.EPOCH, Optional.empty()), event);
    }

    private long send(String key, byte[] value) throws Exception {
        return send(PLANS.partition(), key, value);
    }

    private long send(int partition, String key, byte[] value) throws Exception {
        var config = Map.<String, Object>of("bootstrap.servers", at.bootstrap(), "acks", "all");
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            var record = new ProducerRecord<>(PLANS.topic(), partition, key.getBytes(UTF_8), value);
            return producer.send(record).get().offset();
        }
    }

    /// Of zeros, which compress well.
    private static byte[] bytes(int length) {
        return new byte[length];
    }

    private void sendLarge(String compression, ProducerRecord<byte[], byte[]> record) throws Exception {
        var config = Map.<String, Object>of(
                "bootstrap.servers", at.bootstrap(), "compression.type", compression, "max.request.size", 16 << 20);
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(record).get();
        }
    }

    private long committed() throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", at.bootstrap()))) {
            var offsets = admin.listConsumerGroupOffsets("shard-fn")
                    .partitionsToOffsetAndMetadata()
                    .get();
            return offsets.get(PLANS) == null ? 0 : offsets.get(PLANS).offset();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        var partition = new TopicPartition(Surroundings.TOPIC + ".dlq", 0);
        var config = Map.<String, Object>of("bootstrap.servers", at.bootstrap());
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            var letters = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(letters::add);
            }
            return letters;
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    private String metrics() throws Exception {
        return get("/q/metrics").body();
    }

    private HttpResponse<String> get(String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(http.toString()).resolve(path))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }
}
