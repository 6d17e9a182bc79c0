package io.tarpon.service.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.AbandonedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TenuresTest {
    private static final TopicPartition MINE = new TopicPartition("tarpon.plans", 0);
    private static final TopicPartition ANOTHER = new TopicPartition("tarpon.plans", 1);

    private final Consumer<byte[], byte[]> one = consumer();
    private final Consumer<byte[], byte[]> other = consumer();
    private final Tenures tenures = new Tenures();

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    @Test
    void aPartitionIsHeldFromItsAssignmentUntilItIsTakenAway() {
        assertThat(tenures.of(MINE)).isEmpty();
        tenures.onPartitionsAssigned(one, List.of(MINE, ANOTHER));
        var mine = tenures.of(MINE).orElseThrow();
        var another = tenures.of(ANOTHER).orElseThrow();

        tenures.onPartitionsRevoked(one, List.of(MINE));

        assertThat(mine.isOver()).isTrue();
        assertThat(tenures.of(MINE)).isEmpty();
        assertThat(another.isOver()).isFalse();
        assertThat(tenures.of(ANOTHER)).contains(another);
    }

    @Test
    void aPartitionThatComesBackIsHeldAnew() {
        tenures.onPartitionsAssigned(one, List.of(MINE));
        var before = tenures.of(MINE).orElseThrow();
        tenures.onPartitionsRevoked(one, List.of(MINE));
        tenures.onPartitionsAssigned(one, List.of(MINE));

        assertThat(before.isOver()).isTrue();
        assertThat(tenures.of(MINE).orElseThrow().isOver()).isFalse();
    }

    @Test
    void lateWordOfWhoLostAPartitionEndsNothingOfItsNextHolder() {
        tenures.onPartitionsAssigned(one, List.of(MINE));
        var before = tenures.of(MINE).orElseThrow();
        tenures.onPartitionsAssigned(other, List.of(MINE));
        var now = tenures.of(MINE).orElseThrow();

        tenures.onPartitionsLost(one, List.of(MINE));

        assertThat(before.isOver()).isTrue();
        assertThat(now.isOver()).isFalse();
        assertThat(tenures.of(MINE)).contains(now);
    }

    @Test
    void whoWorksIsInterruptedWhenThePartitionIsTakenAwayAndNotInWhatItDoesNext() throws Exception {
        tenures.onPartitionsAssigned(one, List.of(MINE));
        var mine = tenures.of(MINE).orElseThrow();
        var inside = new CountDownLatch(1);
        try (var pool = Executors.newSingleThreadExecutor()) {
            var work = pool.submit(() -> {
                mine.during(() -> {
                    inside.countDown();
                    try {
                        Thread.sleep(Duration.ofHours(1));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                return Thread.currentThread().isInterrupted();
            });
            inside.await();
            tenures.onPartitionsRevoked(one, List.of(MINE));
            assertThat(work.get(10, TimeUnit.SECONDS)).isFalse();
        }
        assertThatThrownBy(() -> mine.during(() -> {
                    throw new AssertionError("begun");
                }))
                .isInstanceOf(AbandonedException.class);
    }

    /// One that is asked nothing: it is who it is.
    private static Consumer<byte[], byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", "127.0.0.1:1"), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
