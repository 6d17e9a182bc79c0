package io.tarpon.metadata.api;

import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A service whose log is in Kafka, and the broker.
public final class KafkaServiceFolder extends ServiceFolder {
    private static @Nullable KafkaProcess kafka;

    static KafkaProcess kafka() {
        return java.util.Objects.requireNonNull(kafka, "started before the service");
    }

    @Override
    public Map<String, String> start() {
        var settings = new HashMap<>(super.start());
        try {
            kafka = KafkaProcess.start(
                    Files.createDirectories(folder().resolve("kafka")).resolve("data"), "tarpon.events:2");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        settings.put("kafka.bootstrap.servers", kafka.brokers());
        settings.put("tarpon.metadata.log", "kafka");
        settings.put("tarpon.metadata.kafka.replicas", "1");
        settings.put("tarpon.metadata.append-timeout", "PT4S");
        return settings;
    }

    @Override
    public void stop() {
        if (kafka != null) {
            kafka.close();
        }
        super.stop();
    }
}
