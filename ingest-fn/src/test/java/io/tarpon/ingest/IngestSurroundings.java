package io.tarpon.ingest;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What ingest-fn needs around it: a broker, metadata, a store, an allowed folder and a token.
public final class IngestSurroundings implements QuarkusTestResourceLifecycleManager {
    static final String TOKEN = "a-token-for-tests-only";

    private @Nullable Path folder;
    private @Nullable KafkaProcess kafka;
    private @Nullable SmallMetadata metadata;

    @Override
    public Map<String, String> start() {
        try {
            var home = Files.createTempDirectory("ingest-fn").toRealPath();
            folder = home;
            var sources = Files.createDirectory(home.resolve("sources"));
            var token = Files.writeString(home.resolve("token"), TOKEN + "\n");
            var broker = KafkaProcess.start(
                    home.resolve("kafka"),
                    "tarpon.uploads:4",
                    "tarpon.plans:12",
                    "tarpon.uploads.dlq:1",
                    "tarpon.plans.dlq:2");
            kafka = broker;
            var records = new SmallMetadata();
            metadata = records;
            return Map.of(
                    "kafka.bootstrap.servers", broker.brokers(),
                    "tarpon.metadata.url", records.url().toString(),
                    "tarpon.store.directory.root", home.resolve("store").toString(),
                    "tarpon.directory-roots", sources.toString(),
                    "tarpon.token-file", token.toString(),
                    "tarpon.ingest.spool-dir", home.resolve("spool").toString(),
                    "tarpon.ingest.longest-pause", "PT1S");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(kafka, new TestInjector.MatchesType(KafkaProcess.class));
        injector.injectIntoFields(metadata, new TestInjector.MatchesType(SmallMetadata.class));
    }

    @Override
    public void stop() {
        if (kafka != null) {
            kafka.close();
        }
        if (metadata != null) {
            metadata.close();
        }
        if (folder != null) {
            delete(folder);
        }
    }

    private static void delete(Path folder) {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
