package io.tarpon.ingest.stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.Refusal;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// `tarpon.uploads.dlq`: what cannot be acted on, with its original key, bytes and headers, and in headers of ours
/// `tarpon-reason`, `tarpon-detail` and where it came from.
@ApplicationScoped
@Startup
public class DeadLetters {
    private static final Logger LOG = Logger.getLogger(DeadLetters.class);
    private static final String TOPIC = "tarpon.uploads.dlq";
    private static final int MAX_DETAIL_CHARS = 512;

    private final Emitter<byte @Nullable []> emitter;
    private final MeterRegistry meters;

    DeadLetters(
            @Channel("dead-letters") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = 16)
                    Emitter<byte @Nullable []> emitter,
            MeterRegistry meters) {
        this.emitter = emitter;
        this.meters = meters;
        for (var reason : Refusal.values()) {
            meters.counter("tarpon.dead.letters", "topic", TOPIC, "reason", reason.wireName());
        }
    }

    /// Afterwards the record is in the dead letters. After an exception it may be; once more does no harm.
    void bury(ConsumerRecord<byte[], byte[]> record, Refusal why, String detail) throws IOException {
        var shown = OneLine.of(detail);
        var headers = headers(record, why, shown);
        try {
            send(record.key(), record.value(), headers);
        } catch (IOException e) {
            if (!(e.getCause() instanceof RecordTooLargeException)) {
                throw e;
            }
            // Only our headers made it too large: the original stays where it is for as long as the topic keeps it.
            var length = LetterHeaders.utf8(Integer.toString(record.value().length));
            send(record.key(), null, headers.add(LetterHeaders.LEFT_OUT, length));
        }
        meters.counter("tarpon.dead.letters", "topic", TOPIC, "reason", why.wireName())
                .increment();
        LOG.warnf(
                "dead letter reason=%s topic=%s partition=%d offset=%d detail=%s",
                why.wireName(), record.topic(), record.partition(), record.offset(), shown);
    }

    /// Afterwards the message is in the topic that it died of once more.
    void putBack(String topic, byte @Nullable [] key, byte @Nullable [] value, Headers headers) throws IOException {
        Outbound.await(topic, List.of(Outbound.send(emitter, new Outbound.Place(topic, null), key, value, headers)));
    }

    /// Afterwards the letter at that place is known to have been put back.
    void markRetried(String topic, int partition, long offset) throws IOException {
        var headers = new RecordHeaders().add(LetterHeaders.RETRIED, LetterHeaders.utf8(Long.toString(offset)));
        Outbound.await(
                topic, List.of(Outbound.send(emitter, new Outbound.Place(topic, partition), null, null, headers)));
    }

    private void send(byte @Nullable [] key, byte @Nullable [] value, Headers headers) throws IOException {
        Outbound.await(TOPIC, List.of(Outbound.send(emitter, new Outbound.Place(TOPIC, null), key, value, headers)));
    }

    /// Those of the message, without any that has a name of ours: it would say of this letter what is not so.
    static Headers headers(ConsumerRecord<byte[], byte[]> record, Refusal why, String detail) {
        var cut = detail.substring(0, Math.min(detail.length(), MAX_DETAIL_CHARS));
        return LetterHeaders.original(record.headers())
                .add(LetterHeaders.REASON, LetterHeaders.utf8(why.wireName()))
                .add(LetterHeaders.DETAIL, LetterHeaders.utf8(cut))
                .add(LetterHeaders.TOPIC, LetterHeaders.utf8(record.topic()))
                .add(LetterHeaders.PARTITION, LetterHeaders.utf8(Integer.toString(record.partition())))
                .add(LetterHeaders.OFFSET, LetterHeaders.utf8(Long.toString(record.offset())));
    }
}
