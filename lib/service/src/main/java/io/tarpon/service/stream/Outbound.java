package io.tarpon.service.stream;

import io.smallrye.reactive.messaging.kafka.api.OutgoingKafkaRecordMetadata;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/// Sends records and waits until the broker has them. Safe for several threads, as emitters are. What an emitter has no
/// room for, because as many records wait for the broker as may, was not taken, as if the broker had said so.
public final class Outbound {
    /// Longer than any `delivery.timeout.ms` of ours, Kafka's default of 120 s included: what the producer gives up on,
    /// it says itself.
    private static final long WAIT_SECONDS = 130;

    private Outbound() {}

    /// @param partition null for the one that the key chooses
    public record Place(String topic, @Nullable Integer partition) {}

    /// To the channel's own topic.
    public static <V extends @Nullable Object> CompletableFuture<Void> send(
            Emitter<V> emitter, @Nullable Object key, V value, Headers headers) {
        return send(
                emitter,
                key,
                value,
                OutgoingKafkaRecordMetadata.<Object>builder().withHeaders(headers));
    }

    public static <V extends @Nullable Object> CompletableFuture<Void> send(
            Emitter<V> emitter, Place place, @Nullable Object key, V value, Headers headers) {
        var metadata = OutgoingKafkaRecordMetadata.<Object>builder()
                .withHeaders(headers)
                .withTopic(place.topic());
        if (place.partition() != null) {
            metadata.withPartition(place.partition());
        }
        return send(emitter, key, value, metadata);
    }

    private static <V extends @Nullable Object> CompletableFuture<Void> send(
            Emitter<V> emitter,
            @Nullable Object key,
            V value,
            OutgoingKafkaRecordMetadata.OutgoingKafkaRecordMetadataBuilder<Object> metadata) {
        var sent = new CompletableFuture<Void>();
        if (key != null) {
            metadata.withKey(key);
        }
        var message = Message.of(value)
                .addMetadata(metadata.build())
                .withAck(() -> {
                    sent.complete(null);
                    return CompletableFuture.completedFuture(null);
                })
                .withNack(failure -> {
                    sent.completeExceptionally(failure);
                    return CompletableFuture.completedFuture(null);
                });
        try {
            emitter.send(message);
        } catch (IllegalStateException e) {
            sent.completeExceptionally(e);
        }
        return sent;
    }

    /// @throws IOException where some may not be in the topic; its cause is what the producer said
    public static void await(String topic, List<CompletableFuture<Void>> sent) throws IOException {
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("stopped while sending to " + topic).initCause(e);
        } catch (ExecutionException e) {
            var cause = e.getCause();
            throw new IOException("topic " + topic + " did not take a message: " + cause, cause);
        } catch (TimeoutException e) {
            throw new IOException("topic " + topic + " did not answer within " + WAIT_SECONDS + " s", e);
        }
    }
}
