package io.tarpon.ingest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.ingest.LetterPlace;
import io.tarpon.ingest.LetterRange;
import io.tarpon.service.retry.Failures;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.retry.Pauses;
import io.tarpon.service.retry.Waits;
import io.tarpon.service.stream.LetterHeaders;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.LettersPutBack;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A sweep whose time is up at a chosen moment, in two partitions that no broker has.
class LetterSweepTest {
    private static final String DEAD = "tarpon.plans.dlq";
    private static final TopicPartition FIRST = new TopicPartition(DEAD, 0);
    private static final TopicPartition SECOND = new TopicPartition(DEAD, 1);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final long late = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    private final long soon = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    private final LetterSweep sweep = new LetterSweep(
            new LetterOriginals(consumer, late),
            new UploadLetters(new NoEmitter(), new SimpleMeterRegistry(), patience()),
            10);

    LetterSweepTest() {
        consumer.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
        consumer.updateEndOffsets(Map.of(FIRST, 2L, SECOND, 2L));
    }

    @Test
    void markersThatTakeAllTheTimeAreNoAnswerWithTheSamePlace() {
        consumer.schedulePollTask(() -> {
            give(letter(FIRST, 0), letter(FIRST, 1));
            passTime();
        });
        assertThatThrownBy(() -> sweep(FIRST, 2, soon))
                .isInstanceOf(TarponException.class)
                .hasMessageContaining("in time");
    }

    @Test
    void aSweepThatMovedOnAnswersWithTheRestThoughNothingWasToBePutBack() throws IOException {
        consumer.schedulePollTask(() -> give(letter(FIRST, 0), marker(FIRST, 1, 0)));
        consumer.schedulePollTask(() -> give(letter(FIRST, 0)));
        sweep(FIRST, 1, late);
        passTime();
        sweep(SECOND, 2, soon);
        assertThat(sweep.result()).isEqualTo(new LettersPutBack(List.of(), List.of(), DEAD + "/1/0-2"));
    }

    private void sweep(TopicPartition place, long to, long deadline) throws IOException {
        var from = new LetterPlace(place.topic(), place.partition(), 0);
        sweep.sweep(new Partition(consumer, place, deadline), new LetterRange(from, to));
    }

    @SafeVarargs
    private void give(ConsumerRecord<byte[], byte[]>... records) {
        for (var record : records) {
            consumer.addRecord(record);
        }
    }

    private void passTime() {
        while (System.nanoTime() <= soon) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static ConsumerRecord<byte[], byte[]> letter(TopicPartition place, long offset) {
        return new ConsumerRecord<>(
                place.topic(), place.partition(), offset, "key".getBytes(UTF_8), "value".getBytes(UTF_8));
    }

    private static ConsumerRecord<byte[], byte[]> marker(TopicPartition place, long offset, long of) {
        var marker = letter(place, offset);
        marker.headers().add(LetterHeaders.RETRIED, LetterHeaders.utf8(Long.toString(of)));
        return marker;
    }

    /// Nothing is to be sent.
    private static final class NoEmitter implements Emitter<byte @Nullable []> {
        @Override
        public CompletionStage<Void> send(byte @Nullable [] value) {
            throw new AssertionError("sent");
        }

        @Override
        public <M extends Message<? extends byte @Nullable []>> void send(M message) {
            throw new AssertionError("sent");
        }

        @Override
        public void complete() {}

        @Override
        public void error(Exception e) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean hasRequests() {
            return true;
        }
    }

    private static Patience patience() {
        var pauses = new Pauses(Duration.ofMillis(1), Duration.ofMillis(2));
        return new Patience(pauses, Failures::mayPass, new Waits(), () -> false);
    }
}
