package io.tarpon.metadata.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.service.stream.Brokers;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
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

    private KafkaSettings settings() {
        return new KafkaSettings(Brokers.at(kafka.brokers()), topic, true, 1, 64 << 20, Duration.ofSeconds(30));
    }

    @Override
    MetadataLog open() throws IOException {
        var log = KafkaLog.open(settings(), followed);
        try {
            log.awaitReached(Duration.ofSeconds(60));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return log;
    }

    /// Each reads its own entries from memory and those of the other one from the broker, in one order.
    @Test
    void twoProcessesThatAppendInTurnAndAtOnceReadTheSame() throws Exception {
        try (var one = open();
                var other = open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readings = List.of(one, other).stream()
                    .map(log -> threads.submit(() -> read(log, 1_200)))
                    .toList();
            for (var turn = 0; turn < 100; turn++) {
                one.append(bytes("one in turn " + turn));
                other.append(bytes("other in turn " + turn));
            }
            var appends = new ArrayList<Future<?>>();
            for (var log : List.of(one, other)) {
                for (var writer = 0; writer < 10; writer++) {
                    var name = log.hashCode() + " writer " + writer + " entry ";
                    appends.add(threads.submit(() -> {
                        for (var i = 0; i < 50; i++) {
                            log.append(bytes(name + i));
                        }
                        return null;
                    }));
                }
            }
            for (var append : appends) {
                append.get();
            }
            var wanted = all(one, 0);
            assertThat(wanted).hasSize(1_200).doesNotHaveDuplicates();
            for (var reading : readings) {
                assertThat(reading.get(60, TimeUnit.SECONDS)).isEqualTo(wanted);
            }
        }
    }

    /// A broker that dies soon after may have them again.
    @Test
    void whatStandsForRemovedEntriesIsRemoved() throws Exception {
        try (var log = open();
                var fill = new TopicFill(settings(), 0, MetadataLog.MAX_ENTRY_BYTES)) {
            for (var count = 0; count < 3; count++) {
                fill.addFiller();
            }
            fill.add(bytes("d"));
            fill.finish();
            assertThat(all(log, 3)).containsExactly("d");
            for (var position = 0; position < 3; position++) {
                var reader = log.reader(position);
                assertThatThrownBy(() -> reader.next(10, Duration.ofSeconds(60)))
                        .isInstanceOf(LogTrimmedException.class);
                reader.close();
            }
        }
    }

    private static List<String> read(MetadataLog log, int count) throws Exception {
        var entries = new ArrayList<String>();
        try (var reader = log.reader(0)) {
            while (entries.size() < count) {
                reader.next(7, Duration.ofSeconds(1))
                        .forEach(entry -> entries.add(new String(entry, StandardCharsets.UTF_8)));
            }
        }
        return entries;
    }
}
