package io.tarpon.service.stream;

import static io.tarpon.service.stream.LetterHeaders.utf8;

import java.io.IOException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One dead-letter topic: records that cannot be acted on, with their original key, bytes and headers, and in headers
/// of ours [LetterHeaders] why and where from. Safe for several threads, as emitters are.
public final class DeadLetters {
    private static final Logger LOG = Logger.getLogger(DeadLetters.class);
    private static final int MAX_DETAIL_CHARS = 512;

    private final String topic;
    private final Emitter<byte @Nullable []> emitter;

    public DeadLetters(String topic, Emitter<byte @Nullable []> emitter) {
        this.topic = topic;
        this.emitter = emitter;
    }

    /// What is sent for a record.
    public record Letter(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {}

    /// Afterwards all replicas of the topic have the record, or as much of it as they take: any record that a topic
    /// took has a letter that fits. After an exception it may be there; once more does no harm.
    ///
    /// @param detail for people; cut at 512 characters, without control characters
    public void bury(ConsumerRecord<byte[], byte[]> record, String reason, String detail) throws IOException {
        var shown =
                detail.substring(0, Math.min(detail.length(), MAX_DETAIL_CHARS)).replaceAll("\\p{Cc}", "?");
        var letters = sizes(record, reason, shown).iterator();
        while (!fits(letters.next(), letters.hasNext())) {
            LOG.debugf("dead letter too large topic=%s offset=%d", record.topic(), record.offset());
        }
        LOG.warnf(
                "dead letter reason=%s topic=%s partition=%d offset=%d detail=%s",
                reason, record.topic(), record.partition(), record.offset(), shown);
    }

    /// The letter of a record as it should be, and smaller ones for a broker that takes none so large: with our
    /// headers, or without the compression that its sender used, it may be too large where the record was not. The
    /// original stays in its topic for as long as that keeps it. The last one has a size of its own, whatever the
    /// record brought.
    public static List<Letter> sizes(ConsumerRecord<byte[], byte[]> record, String reason, String detail) {
        var length = utf8(Integer.toString(record.value() == null ? 0 : record.value().length));
        var ours = new RecordHeaders()
                .add(LetterHeaders.REASON, utf8(reason))
                .add(LetterHeaders.DETAIL, utf8(detail))
                .add(LetterHeaders.TOPIC, utf8(record.topic()))
                .add(LetterHeaders.PARTITION, utf8(Integer.toString(record.partition())))
                .add(LetterHeaders.OFFSET, utf8(Long.toString(record.offset())));
        return List.of(
                new Letter(record.key(), record.value(), joined(LetterHeaders.original(record.headers()), ours)),
                new Letter(
                        record.key(),
                        null,
                        joined(LetterHeaders.original(record.headers()), ours).add(LetterHeaders.LEFT_OUT, length)),
                new Letter(
                        null,
                        null,
                        joined(new RecordHeaders(), ours)
                                .add(LetterHeaders.LEFT_OUT, length)
                                .add(LetterHeaders.BARE, utf8("key and headers"))));
    }

    private boolean fits(Letter letter, boolean isSmallerLeft) throws IOException {
        var place = new Outbound.Place(topic, null);
        try {
            Outbound.await(
                    topic, List.of(Outbound.send(emitter, place, letter.key(), letter.value(), letter.headers())));
            return true;
        } catch (IOException e) {
            if (isSmallerLeft && e.getCause() instanceof RecordTooLargeException) {
                return false;
            }
            throw e;
        }
    }

    private static Headers joined(Headers of, Headers ours) {
        ours.forEach(of::add);
        return of;
    }
}
