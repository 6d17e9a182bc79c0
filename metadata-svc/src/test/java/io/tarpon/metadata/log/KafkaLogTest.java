package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// The contract, kept by a real broker.
class KafkaLogTest extends MetadataLogContract {
    @TempDir
    static Path temp;

    private static KafkaProcess kafka;

    private final String topic = "tarpon.metadata." + UUID.randomUUID();
    private final FollowedInMemory followed = new FollowedInMemory();

    @BeforeAll
    static void start() throws IOException {
        kafka = KafkaProcess.start(temp.resolve("kafka"));
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Override
    MetadataLog open() throws IOException {
        var log =
                KafkaLog.open(new KafkaSettings(kafka.brokers(), topic, 1, 64 << 20, Duration.ofSeconds(30)), followed);
        try {
            log.awaitReached(Duration.ofSeconds(60));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return log;
    }
}
