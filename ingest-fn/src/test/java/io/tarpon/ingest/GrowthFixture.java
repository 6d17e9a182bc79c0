package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.ingest.VersionPlanning.Outcome;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.upload.Upload;
import io.tarpon.service.retry.Patience;
import io.tarpon.store.SourceObject;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// What growth needs around it as a whole use case: metadata over HTTP, a store, one source, a topic.
abstract class GrowthFixture {
    static final DatasetName DEMO = new DatasetName("demo");
    static final SpecOverrides GROW = grow("auto", 16_384, 1);

    @TempDir
    Path folder;

    final KeptMessages topic = new KeptMessages();
    final OneSource sources = new OneSource(OneSource.HUNDRED);
    final MemoryStore store = new MemoryStore();
    SmallMetadata metadata;
    MetadataClient client;
    VersionPlanning planning;

    @BeforeEach
    void start() throws Exception {
        metadata = new SmallMetadata();
        client = new MetadataClient(metadata.url(), SmallMetadata.TOKEN);
        planning = planning(ShortPauses.forEver());
    }

    @AfterEach
    void stop() {
        client.close();
        metadata.close();
        store.close();
    }

    void plan(String id, SpecOverrides spec) throws IOException {
        assertThat(planning.plan(upload(id, spec, false))).isEqualTo(new Outcome.Done());
    }

    void sealFirst() throws IOException {
        plan("r1", GROW);
        metadata.sealAll("v1");
        topic.messages.clear();
    }

    void replace(String key, long size, String etag) {
        var objects = new ArrayList<>(sources.objects);
        objects.replaceAll(held -> held.key().equals(key) ? SourceObject.file(key, size, etag) : held);
        assertThat(objects).isNotEqualTo(sources.objects);
        sources.objects = objects;
    }

    void remove(String key) {
        var objects = new ArrayList<>(sources.objects);
        assertThat(objects.removeIf(held -> held.key().equals(key))).isTrue();
        sources.objects = objects;
    }

    static List<SourceObject> files(String... keys) {
        return Stream.of(keys).sorted().map(OneSource::file).toList();
    }

    static List<SourceObject> and(List<SourceObject> objects, String... keys) {
        var all = new ArrayList<>(objects);
        all.addAll(files(keys));
        return all;
    }

    static SpecOverrides grow(String splits, long shardBytes, int multipleOf) {
        return new SpecOverrides(splits, shardBytes, multipleOf, null, null, true, null);
    }

    int shards(String version) {
        return metadata.version(version).splits().getFirst().shards();
    }

    static String shard(int number) {
        return "shard-%06d".formatted(number);
    }

    List<String> keys(String version, String shard) throws IOException {
        return samples(version, shard).stream().map(PlannedSample::key).toList();
    }

    /// Of a shard that lies under its own version.
    List<PlannedSample> samples(String version, String shard) throws IOException {
        var ref = ShardRef.parse("demo/" + version + "/train/" + shard);
        return new PlanFiles(store, DEMO, ref.version()).samples(ref);
    }

    List<String> planFiles(String version) throws IOException {
        return keysOfStore().stream()
                .filter(key -> key.startsWith("datasets/demo/" + version + "/plan/"))
                .toList();
    }

    List<String> keysOfStore() throws IOException {
        return new PlanFiles(store, DEMO, new VersionId(1)).keys();
    }

    VersionPlanning planning(Patience patience) throws IOException {
        return new VersionPlanning(
                client,
                sources,
                new PlanFreezing(store, new SpoolArea(folder.resolve("spool"), 64 << 20), 3 << 20, 1_000, patience),
                new VersionFiles(store),
                new ShardMessages(client, topic, Clock.systemUTC()),
                patience,
                Duration.ofMillis(1),
                new SimpleMeterRegistry().counter("planned"),
                Traces.off());
    }

    static Upload upload(String id, SpecOverrides spec, boolean force) {
        return new Upload(
                id, "/test", Optional.empty(), Optional.empty(), new DatasetUploaded("photos/", DEMO, spec, force));
    }
}
