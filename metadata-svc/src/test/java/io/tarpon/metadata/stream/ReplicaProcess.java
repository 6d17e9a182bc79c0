package io.tarpon.metadata.stream;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.FollowedInMemory;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.service.stream.Brokers;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// One replica of several over a log in Kafka, to be killed and stopped: it works without end on pieces that the
/// others work on too, and publishes when that is its duty. Prints `duty` when it has that, `idle` when it lost it,
/// and `done REVISION DIGEST` once it was told by a line on stdin to stop working; then it publishes what is left
/// until it is killed.
public final class ReplicaProcess {
    private static final Duration PACE = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ReplicaProcess() {}

    /// Arguments: brokers, the topic of the log.
    public static void main(String[] args) throws Exception {
        var stopped = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                stopped.set(System.in.read() >= 0);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        var brokers = Brokers.at(args[0]);
        var settings = new KafkaSettings(brokers, args[1], true, 1, 64 << 20, Duration.ofSeconds(10));
        var duty = new Told(new GroupDuty(brokers, args[1]));
        try (var running = new Running(KafkaLog.open(settings, new FollowedInMemory()), 64, 16);
                var publisher = new EventPublisher(
                        new PublisherSettings(brokers, EventLog.TOPIC, Duration.ofMillis(100), Duration.ofMillis(50)),
                        running.feed(),
                        duty)) {
            publisher.start();
            for (int piece = 0; !stopped.get(); piece++) {
                doPiece(running, piece);
                LockSupport.parkNanos(PACE.toNanos());
            }
            latest(running);
            var seen = running.replica().read(Image::digest);
            System.out.println("done " + seen.revision() + " " + seen.value());
            new CountDownLatch(1).await();
        }
    }

    private static void latest(Running running) throws InterruptedException {
        while (true) {
            try {
                running.replica().awaitLatest(PATIENCE);
                return;
            } catch (TarponException e) {
                LockSupport.parkNanos(PACE.toNanos());
            }
        }
    }

    /// The same again where the log was away, or what it did is in doubt.
    private static void doPiece(Running running, int piece) throws InterruptedException {
        while (true) {
            try {
                Workload.doPiece(running, piece);
                return;
            } catch (TarponException e) {
                if (!e.type().retryable()) {
                    throw e;
                }
                LockSupport.parkNanos(PACE.toNanos());
            }
        }
    }

    /// Says when the duty comes and goes.
    private static final class Told implements PublishingDuty {
        private final PublishingDuty duty;
        private volatile boolean isHere;

        private Told(PublishingDuty duty) {
            this.duty = duty;
        }

        @Override
        public boolean isHere(Duration patience) throws IOException, InterruptedException {
            var now = duty.isHere(patience);
            if (now != isHere) {
                System.out.println(now ? "duty" : "idle");
                isHere = now;
            }
            return now;
        }

        @Override
        public OptionalLong certainAt() {
            return duty.certainAt();
        }

        @Override
        public long publishedUpTo() throws IOException {
            return duty.publishedUpTo();
        }

        @Override
        public void publishedUpTo(long revision) throws IOException {
            duty.publishedUpTo(revision);
        }

        @Override
        public void close() {
            duty.close();
        }
    }
}
