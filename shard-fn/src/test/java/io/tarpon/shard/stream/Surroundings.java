package io.tarpon.shard.stream;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.tarpon.shard.MetadataStandIn;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What shard-fn runs among: a real broker in its own JVM, a metadata stand-in, a source folder and a store, all of
/// this test run alone.
public final class Surroundings implements QuarkusTestResourceLifecycleManager {
    static final String TOPIC = "tarpon.plans";
    static final int PARTITIONS = 4;

    private @Nullable Path temp;
    private @Nullable KafkaProcess broker;
    private @Nullable MetadataStandIn metadata;
    private String bootstrap = "";

    /// What a test needs of it.
    record Handle(MetadataStandIn metadata, Path in, Path store, Path token, String bootstrap) {}

    @Override
    public Map<String, String> start() {
        try {
            temp = Files.createTempDirectory("shard-fn-");
            metadata = new MetadataStandIn();
            var token = Files.writeString(temp.resolve("token"), MetadataStandIn.TOKEN);
            broker = KafkaProcess.start(temp.resolve("broker"), TOPIC + ":" + PARTITIONS, TOPIC + ".dlq:1");
            bootstrap = broker.brokers();
            var in = Files.createDirectory(temp.resolve("in"));
            var config = new HashMap<String, String>();
            config.put("kafka.bootstrap.servers", bootstrap);
            config.put("tarpon.token-file", token.toString());
            config.put("tarpon.metadata.url", metadata.url().toString());
            config.put("tarpon.store.directory.root", temp.resolve("store").toString());
            config.put("tarpon.sources.in.kind", "directory");
            config.put("tarpon.sources.in.root", in.toString());
            config.put("tarpon.shard.first-pause", "PT0.01S");
            config.put("tarpon.shard.longest-pause", "PT0.2S");
            return config;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(handle(), new TestInjector.MatchesType(Handle.class));
    }

    /// Once started.
    Handle handle() {
        var folder = Objects.requireNonNull(temp);
        return new Handle(
                Objects.requireNonNull(metadata),
                folder.resolve("in"),
                folder.resolve("store"),
                folder.resolve("token"),
                bootstrap);
    }

    @Override
    public void stop() {
        try {
            if (broker != null) {
                broker.close();
            }
            if (metadata != null) {
                metadata.close();
            }
            if (temp != null) {
                remove(temp);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
