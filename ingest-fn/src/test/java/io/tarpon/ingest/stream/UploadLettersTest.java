package io.tarpon.ingest.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.service.retry.Failures;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UploadLettersTest {
    @Test
    void aBrokerThatIsAwayIsWaitedFor() throws Exception {
        var broker = new BrokerAway();
        var pauses = new Pauses(Duration.ofMillis(1), Duration.ofMillis(2));
        var patience = new Patience(pauses, Failures::mayPass, new Waits(), () -> false);
        var record = new ConsumerRecord<>("tarpon.uploads", 1, 7, new byte[1], new byte[1]);
        new UploadLetters(broker, new SimpleMeterRegistry(), patience).bury(record, Refusal.MALFORMED, "no");

        assertThat(broker.sent).hasValue(3);
    }

    /// Takes the third message.
    private static final class BrokerAway implements Emitter<byte @Nullable []> {
        final AtomicInteger sent = new AtomicInteger();

        @Override
        public <M extends Message<? extends byte @Nullable []>> void send(M message) {
            var _ = sent.incrementAndGet() < 3 ? message.nack(new TimeoutException("no broker")) : message.ack();
        }

        @Override
        public CompletionStage<Void> send(byte @Nullable [] payload) {
            throw new UnsupportedOperationException("messages only");
        }

        @Override
        public void complete() {}

        @Override
        public void error(Exception failure) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean hasRequests() {
            return true;
        }
    }
}
