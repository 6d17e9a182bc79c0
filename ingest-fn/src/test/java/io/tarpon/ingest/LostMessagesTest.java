package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// A real topic of plans that loses its records before anybody reads them.
@QuarkusTest
@TestProfile(LostMessagesTest.Profile.class)
class LostMessagesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = "tarpon.plans";

    /// A service of its own, which looks for versions that stand still more often.
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("tarpon.ingest.resend-after", "PT1S");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(IngestSurroundings.class));
        }
    }

    SmallMetadata metadata;

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String broker;

    @ConfigProperty(name = "tarpon.directory-roots")
    String sources;

    @Test
    void messagesThatNobodyReadAreSentAgainUntilTheirShardsAreSealed() throws Exception {
        var folder = Files.createDirectory(Path.of(sources, "lost"));
        for (int i = 0; i < 40; i++) {
            Files.write(folder.resolve("i%02d.jpg".formatted(i)), new byte[3_000]);
        }
        upload(folder);
        var version = eventually(this::version, it -> it.state() == VersionState.BUILDING);
        int shards = version.splits().getFirst().shards();
        assertThat(shards).isGreaterThan(3);
        var planned = eventually(this::keys, keys -> keys.size() == shards);

        deleteRecords();
        assertThat(keys()).isEmpty();
        metadata.seal("v1", "train", "shard-000001");
        metadata.standStill(version.version(), Instant.EPOCH);
        metadata.itIs(Instant.EPOCH.plus(Duration.ofHours(1)));

        var unsealed = new TreeSet<>(planned);
        unsealed.remove("demo/v1/train/shard-000001");
        assertThat(eventually(this::keys, keys -> keys.size() >= unsealed.size()))
                .isEqualTo(unsealed);
        metadata.sealAll("v1");
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.SEALED);
    }

    private void upload(Path folder) throws Exception {
        var event = "{\"specversion\":\"1.0\",\"id\":\"lost\",\"source\":\"/test\",\"type\":\"" + DatasetUploaded.TYPE
                + "\",\"data\":{\"source\":\"file://" + folder
                + "\",\"dataset\":\"demo\",\"spec\":{\"shardBytes\":16384}}}";
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(service)
                    .header("Authorization", "Bearer " + IngestSurroundings.TOKEN)
                    .header("Content-Type", Events.CONTENT_TYPE)
                    .POST(BodyPublishers.ofString(event))
                    .build();
            assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(202);
        }
    }

    private VersionRecord version() throws Exception {
        try (var client = MetadataClient.readOnly(metadata.url())) {
            return client.versionOfRequest("lost").orElse(null);
        }
    }

    /// As retention does, or somebody who makes the topic anew.
    private void deleteRecords() throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", broker));
                var consumer = consumer()) {
            var ends = consumer.endOffsets(partitions(consumer)).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, end -> RecordsToDelete.beforeOffset(end.getValue())));
            admin.deleteRecords(ends).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /// Of the records that are there now.
    private Set<String> keys() {
        var keys = new TreeSet<String>();
        try (var consumer = consumer()) {
            var partitions = partitions(consumer);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> keys.add(new String(record.key(), UTF_8)));
            }
        }
        return keys;
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        var settings = Map.<String, Object>of("bootstrap.servers", broker);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        return consumer.partitionsFor(TOPIC).stream()
                .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                .toList();
    }

    private static <T> T eventually(Callable<T> look, Predicate<T> wanted) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            var found = look.call();
            if (found != null && wanted.test(found)) {
                return found;
            }
            LockSupport.parkNanos(50_000_000);
        }
        throw new AssertionError("not within " + PATIENCE);
    }
}
