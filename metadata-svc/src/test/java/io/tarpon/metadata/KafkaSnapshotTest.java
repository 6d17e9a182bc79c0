package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RaiseLevel;
import io.tarpon.metadata.log.FollowedInMemory;
import io.tarpon.metadata.log.ForwardingLog;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.metadata.snapshot.StoredSnapshots;
import io.tarpon.service.stream.Brokers;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Stores;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.testkit.S3ServerProcess;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Snapshots in a real S3 server of a log in a real broker.
class KafkaSnapshotTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ID = "00112233445566778899aabbccddeeff";

    private static KafkaProcess kafka;
    private static S3ServerProcess server;

    @BeforeAll
    static void start(@TempDir Path temp) throws IOException {
        kafka = KafkaProcess.start(temp.resolve("kafka"));
        server = S3ServerProcess.start(temp.resolve("s3"));
    }

    @AfterAll
    static void stop() {
        server.close();
        kafka.close();
    }

    @Test
    void replicasThatAreNewOrWereAwayWhileTheLogWasCutComeToTheSame() throws Exception {
        try (var store = store()) {
            var snapshots = new StoredSnapshots(store);
            var away = new PausedLog(log());
            try (var running = new Running(log(), snapshots);
                    var late = new Running(away, snapshots);
                    var snapshotting = new Snapshotting(
                            running.log(),
                            running.replica(),
                            Optional.of(snapshots),
                            InstantSource.system(),
                            new Snapshotting.Settings(0, Duration.ofDays(1)),
                            () -> true,
                            () -> Long.MAX_VALUE)) {
                Deadline.until(PATIENCE, "the log is reached", () -> isReached(running));
                running.run(new RaiseLevel(ID, EntryFormat.FORMAT));
                write(running, 20);
                requireSame(late, running);
                away.isPaused = true;
                write(running, 20);
                snapshotting.take();
                // Some MiB.
                for (int i = 0; i < 5; i++) {
                    var begun = running.run(new BeginVersion(DEMO, "large " + i, SPEC));
                    running.run(new PlanVersion(DEMO, begun.version(), Fixtures.plan("large " + i, 2_000, 0)));
                }
                snapshotting.take();
                assertThat(running.log().begin()).isGreaterThan(late.replica().revision());
                write(running, 5);
                away.isPaused = false;
                requireSame(late, running);
                try (var another = new Running(log(), snapshots)) {
                    requireSame(another, running);
                    assertThat(another.run(new BeginVersion(DEMO, "of another", SPEC))
                                    .requestId())
                            .isEqualTo("of another");
                    requireSame(running, another);
                    requireSame(late, another);
                }
            }
        }
    }

    private static boolean isReached(Running running) {
        try {
            return running.replica().behind().isEmpty() && running.replica().awaitLatest(Duration.ZERO) >= 0;
        } catch (TarponException | InterruptedException e) {
            return false;
        }
    }

    private static void write(Running running, int versions) throws InterruptedException {
        for (int i = 0; i < versions; i++) {
            var next = running.replica().revision();
            running.run(new BeginVersion(DEMO, "request " + next, SPEC));
        }
    }

    private static void requireSame(Running one, Running other) throws InterruptedException {
        var revision = other.replica().revision();
        assertThat(one.replica().awaitRevision(revision, PATIENCE)).isTrue();
        Deadline.until(PATIENCE, "it is ready", () -> one.replica().behind().isEmpty());
        assertThat(one.replica().read(Image::digest)).isEqualTo(other.replica().read(Image::digest));
    }

    private static MetadataLog log() throws IOException {
        return KafkaLog.open(
                new KafkaSettings(
                        Brokers.at(kafka.brokers()), "tarpon.metadata", true, 1, 64 << 20, Duration.ofSeconds(30)),
                new FollowedInMemory());
    }

    private static ObjectStore store() throws IOException {
        var settings = new HashMap<>(server.settings("tarpon.store.s3."));
        settings.put("tarpon.store.kind", "s3");
        var config = new SmallRyeConfigBuilder()
                .withMapping(S3GarbageTest.Config.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        return Stores.open(config.getConfigMapping(S3GarbageTest.Config.class).store());
    }

    /// A log of which nothing comes now and then.
    private static final class PausedLog extends ForwardingLog {
        private volatile boolean isPaused;

        private PausedLog(MetadataLog log) {
            super(log);
        }

        @Override
        public LogReader reader(long position) {
            var reader = super.reader(position);
            return new LogReader() {
                @Override
                public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
                    if (isPaused) {
                        Thread.sleep(10);
                        return List.of();
                    }
                    return reader.next(limit, patience);
                }

                @Override
                public void close() {
                    reader.close();
                }
            };
        }
    }
}
