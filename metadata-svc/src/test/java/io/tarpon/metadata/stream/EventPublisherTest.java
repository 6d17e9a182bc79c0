package io.tarpon.metadata.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.Fixtures;
import io.tarpon.metadata.Running;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.entry.PublishedMark;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.service.stream.Brokers;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.wire.event.TarponEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Against a real broker, with processes that are killed.
class EventPublisherTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOPIC = EventLog.TOPIC + ":4";

    @TempDir
    Path temp;

    @Test
    void eachEventIsThereOnceWhateverIsKilledWhen() throws Exception {
        var seed = Long.getLong("publisher.seed", System.nanoTime());
        System.err.println("publisher kills seed " + seed);
        var random = new Random(seed);
        var pieces = 400;
        var moves = 0;
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), TOPIC)) {
            for (int kill = 0; kill < 6; kill++) {
                var process = launch(kafka, pieces, random.nextBoolean() ? "keep" : "lose");
                moves += awaitMarkMoves(process, random.nextInt(6));
                LockSupport.parkNanos(random.nextInt(30) * 1_000_000L);
                process.destroyForcibly().onExit().join();
                if (kill == 3) {
                    kafka.kill();
                    kafka.startAgain();
                }
            }
            assertThat(moves).as("events were published before kills").isPositive();
            var last = launch(kafka, pieces, "lose");
            var said = last.inputReader(StandardCharsets.UTF_8).lines().toList();
            assertThat(said).endsWith("published");
            assertThat(last.onExit().join().exitValue()).isZero();
            try (var log = open()) {
                assertThat(log.end()).isGreaterThan(pieces * 3L);
                EventLog.assertExactlyOnce(EventLog.messages(kafka.brokers()), EventLog.committed(log));
            }
        }
    }

    @Test
    void withoutABrokerEventsWaitInTheLog() throws Exception {
        var port = KafkaProcess.freePort();
        try (var log = open();
                var running = new Running(log, 4, 16);
                var publisher = publisher("127.0.0.1:" + port, running, log)) {
            publisher.start();
            for (int piece = 0; piece < 30; piece++) {
                Workload.doPiece(running, piece);
            }
            try (var kafka = KafkaProcess.startAt(temp.resolve("kafka"), port, TOPIC)) {
                awaitPublished(log);
                EventLog.assertExactlyOnce(EventLog.messages(kafka.brokers()), EventLog.committed(log));
            }
        }
    }

    @Test
    void aBrokerThatDiesAndComesBackMissesAndRepeatsNothing() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), TOPIC);
                var log = open();
                var running = new Running(log, 4, 16);
                var publisher = publisher(kafka.brokers(), running, log)) {
            publisher.start();
            for (int piece = 0; piece < 60; piece++) {
                Workload.doPiece(running, piece);
                if (piece == 30) {
                    kafka.kill();
                }
            }
            kafka.startAgain();
            awaitPublished(log);
            EventLog.assertExactlyOnce(EventLog.messages(kafka.brokers()), EventLog.committed(log));
        }
    }

    @Test
    void anErrorIsTroubleUntilPublishingGoesOnAndNothingIsMissed() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), TOPIC);
                var log = open();
                var running = new Running(log, 64, 16)) {
            Workload.doPiece(running, 0);
            var failing = new FailingMark(log);
            try (var publisher =
                    new EventPublisher(settings(kafka.brokers()), running.feed(), PublishingDuty.alone(failing))) {
                assertThat(publisher.trouble()).isNull();
                publisher.start();
                await("trouble is told", () -> publisher.trouble() != null);
                assertThat(publisher.trouble()).isInstanceOf(OutOfMemoryError.class);
                failing.mend();
                await("trouble passes", () -> publisher.trouble() == null);
                awaitPublished(log);
            }
            EventLog.assertExactlyOnce(EventLog.messages(kafka.brokers()), EventLog.committed(log));
        }
    }

    @Test
    void troubleOfWhoHasNotTheDutyAnyMorePasses() throws Exception {
        try (var log = open();
                var running = new Running(log, 64, 16)) {
            var isLost = new AtomicBoolean();
            var alone = PublishingDuty.alone(new FailingMark(log));
            var duty = new PublishingDuty() {
                @Override
                public boolean isHere(Duration patience) throws IOException, InterruptedException {
                    if (isLost.get()) {
                        Thread.sleep(patience);
                        return false;
                    }
                    throw new OutOfMemoryError("a test's");
                }

                @Override
                public OptionalLong certainAt() {
                    return alone.certainAt();
                }

                @Override
                public long publishedUpTo() throws IOException {
                    return alone.publishedUpTo();
                }

                @Override
                public void publishedUpTo(long revision) throws IOException {
                    alone.publishedUpTo(revision);
                }

                @Override
                public void close() {
                    // Nothing is held.
                }
            };
            try (var publisher = new EventPublisher(settings("127.0.0.1:1"), running.feed(), duty)) {
                publisher.start();
                await("trouble is told", () -> publisher.trouble() != null);
                isLost.set(true);
                await("trouble passes", () -> publisher.trouble() == null);
            }
        }
    }

    @Test
    void whatWasTrimmedBeforeItWasPublishedIsPublishedAllTheSame() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), TOPIC);
                var log = open();
                var running = new Running(log, 1, 16);
                var publisher = publisher(kafka.brokers(), running, log)) {
            Workload.doPiece(running, 0);
            Workload.doPiece(running, 1);
            var events = running.feed().after(0).events().stream()
                    .map(event -> event.id())
                    .toList();
            log.trim(log.end() - 1);
            publisher.start();
            Deadline.until(
                    PATIENCE,
                    "all are there",
                    () -> EventLog.messages(kafka.brokers()).size() >= events.size());
            assertThat(EventLog.messages(kafka.brokers()))
                    .extracting(EventLog.Message::id)
                    .containsExactlyInAnyOrderElementsOf(events);
        }
    }

    /// Fails with an Error until it is mended.
    private static final class FailingMark implements PublishedMark {
        private final PublishedMark mark;
        private volatile boolean fails = true;

        FailingMark(PublishedMark mark) {
            this.mark = mark;
        }

        void mend() {
            fails = false;
        }

        @Override
        public long publishedUpTo() throws IOException {
            return mark.publishedUpTo();
        }

        @Override
        public void publishedUpTo(long revision) throws IOException {
            if (fails) {
                throw new OutOfMemoryError("for a test");
            }
            mark.publishedUpTo(revision);
        }
    }

    @Test
    void aLostMarkRepeatsNothing() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), TOPIC)) {
            try (var log = open();
                    var running = new Running(log, 64, 16);
                    var publisher = publisher(kafka.brokers(), running, log)) {
                publisher.start();
                for (int piece = 0; piece < 20; piece++) {
                    Workload.doPiece(running, piece);
                }
                awaitPublished(log);
            }
            try (var log = open()) {
                log.publishedUpTo(0);
                try (var running = new Running(log, 64, 16);
                        var publisher = publisher(kafka.brokers(), running, log)) {
                    publisher.start();
                    Workload.doPiece(running, 20);
                    awaitPublished(log);
                    EventLog.assertExactlyOnce(EventLog.messages(kafka.brokers()), EventLog.committed(log));
                }
            }
        }
    }

    @Test
    void theLastIdIsFoundBehindWhatStrangersWrote() throws Exception {
        try (var kafka = KafkaProcess.start(temp.resolve("kafka"), TOPIC);
                var log = open();
                var running = new Running(log, 64, 16)) {
            var version = running.run(new BeginVersion(Fixtures.DEMO, "a", Fixtures.SPEC))
                    .version();
            running.proposer()
                    .execute(
                            new FailVersion(Fixtures.DEMO, version, "cancelled"),
                            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
            try (var publisher = publisher(kafka.brokers(), running, log)) {
                publisher.start();
                awaitPublished(log);
            }
            var message = EventLog.messages(kafka.brokers()).getFirst();
            assertThat(message.event()).isInstanceOf(TarponEvent.VersionFailed.class);
            assertThat(message.traceparent()).contains("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
            try (var producer = Clients.producer(Brokers.at(kafka.brokers()))) {
                for (int i = 0; i < 40; i++) {
                    producer.send(new ProducerRecord<>(
                            EventLog.TOPIC,
                            message.partition(),
                            null,
                            "not an event".getBytes(StandardCharsets.UTF_8)));
                }
                producer.flush();
            }
            try (var consumer = Clients.consumer(Brokers.at(kafka.brokers()))) {
                var ends = TopicEnds.read(consumer, EventLog.TOPIC, Duration.ZERO);
                assertThat(ends.last(message.partition())).isEqualTo(new EventId(2, 0));
                assertThat(ends.highest()).isEqualTo(2);
                assertThat(ends.from(0)).isZero();
                assertThat(ends.from(7)).isEqualTo(7);
            }
        }
    }

    /// Reads on until the process has published so many times, or is done; returns how often it has.
    private static int awaitMarkMoves(Process process, int wanted) throws IOException {
        var lines = process.inputReader(StandardCharsets.UTF_8);
        var moves = 0;
        var mark = "";
        while (moves <= wanted) {
            var line = lines.readLine();
            if (line == null || line.equals("published")) {
                return moves;
            }
            if (!line.equals(mark)) {
                moves++;
                mark = line;
            }
        }
        return moves;
    }

    private LocalLog open() throws IOException {
        var folder = Files.createDirectories(temp.resolve("state"));
        return LocalLog.open(
                folder.resolve("log"),
                Files.createDirectories(folder.resolve("lib")),
                1024,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1));
    }

    private static EventPublisher publisher(String brokers, Running running, LocalLog log) {
        return new EventPublisher(settings(brokers), running.feed(), PublishingDuty.alone(log));
    }

    private static PublisherSettings settings(String brokers) {
        return new PublisherSettings(Brokers.at(brokers), EventLog.TOPIC, Duration.ofMillis(50), Duration.ofMillis(50));
    }

    private static void await(String what, BooleanSupplier holds) {
        Deadline.until(PATIENCE, what, holds::getAsBoolean);
    }

    private static void awaitPublished(LocalLog log) throws IOException {
        Deadline.until(PATIENCE, "events are published", () -> log.publishedUpTo() >= log.end());
    }

    private Process launch(KafkaProcess kafka, int pieces, String mark) throws IOException {
        var options = List.of("-Xmx96m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");
        var state = temp.resolve("state").toString();
        return new ProcessBuilder(Jvm.command(
                        PublishingProcess.class, options, state, kafka.brokers(), Integer.toString(pieces), mark))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        temp.resolve("process.log").toFile()))
                .start();
    }
}
