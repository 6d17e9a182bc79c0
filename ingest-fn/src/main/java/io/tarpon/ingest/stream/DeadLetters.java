package io.tarpon.ingest.stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.ingest.upload.Refusal;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    /// Letters that are put back at a time, and those that functions bury meanwhile.
    private static final int MAX_WAITING = 256;

    private final Emitter<byte @Nullable []> emitter;
    private final MeterRegistry meters;

    DeadLetters(
            @Channel("dead-letters") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = MAX_WAITING)
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
        var letters = sizes(record, why, shown).iterator();
        while (!fits(letters.next(), letters.hasNext())) {
            LOG.debugf("dead letter too large topic=%s offset=%d", record.topic(), record.offset());
        }
        meters.counter("tarpon.dead.letters", "topic", TOPIC, "reason", why.wireName())
                .increment();
        LOG.warnf(
                "dead letter reason=%s topic=%s partition=%d offset=%d detail=%s",
                why.wireName(), record.topic(), record.partition(), record.offset(), shown);
    }

    /// A letter, and the message that it is about.
    record Returned(ConsumerRecord<byte[], byte[]> letter, ConsumerRecord<byte[], byte[]> message) {}

    /// Afterwards the messages are in the topics that they died in once more, and their letters are known to have been
    /// put back. At most as many as the emitter's buffer takes.
    void putBack(List<Returned> letters) throws IOException {
        var sent = new ArrayList<CompletableFuture<Void>>();
        for (var returned : letters) {
            var message = returned.message();
            var place =
                    new Outbound.Place(LetterOriginals.diedIn(returned.letter().topic()), null);
            sent.add(Outbound.send(
                    emitter, place, message.key(), message.value(), LetterHeaders.original(message.headers())));
        }
        Outbound.await("of a dead letter", sent);
        var marked = new ArrayList<CompletableFuture<Void>>();
        for (var returned : letters) {
            var letter = returned.letter();
            var offset = LetterHeaders.utf8(Long.toString(letter.offset()));
            var headers = new RecordHeaders().add(LetterHeaders.RETRIED, offset);
            var place = new Outbound.Place(letter.topic(), letter.partition());
            marked.add(Outbound.send(emitter, place, null, null, headers));
        }
        Outbound.await("of dead letters", marked);
    }

    /// What is sent for a message.
    record Letter(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {}

    /// The letter of a message as it should be, and smaller ones for a broker that takes none so large: with our
    /// headers it may be too large where the message was not. The original stays in its topic for as long as that
    /// keeps it. The last one has a size of its own, whatever the message brought.
    static List<Letter> sizes(ConsumerRecord<byte[], byte[]> record, Refusal why, String detail) {
        var length = LetterHeaders.utf8(Integer.toString(record.value() == null ? 0 : record.value().length));
        var ours = ours(record, why, detail);
        var none = new RecordHeaders();
        return List.of(
                new Letter(record.key(), record.value(), joined(LetterHeaders.original(record.headers()), ours)),
                new Letter(
                        record.key(),
                        null,
                        joined(LetterHeaders.original(record.headers()), ours).add(LetterHeaders.LEFT_OUT, length)),
                new Letter(
                        null,
                        null,
                        joined(none, ours)
                                .add(LetterHeaders.LEFT_OUT, length)
                                .add(LetterHeaders.BARE, LetterHeaders.utf8("key and headers"))));
    }

    private boolean fits(Letter letter, boolean isSmallerLeft) throws IOException {
        var place = new Outbound.Place(TOPIC, null);
        try {
            Outbound.await(
                    TOPIC, List.of(Outbound.send(emitter, place, letter.key(), letter.value(), letter.headers())));
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

    private static Headers ours(ConsumerRecord<byte[], byte[]> record, Refusal why, String detail) {
        var cut = detail.substring(0, Math.min(detail.length(), MAX_DETAIL_CHARS));
        return new RecordHeaders()
                .add(LetterHeaders.REASON, LetterHeaders.utf8(why.wireName()))
                .add(LetterHeaders.DETAIL, LetterHeaders.utf8(cut))
                .add(LetterHeaders.TOPIC, LetterHeaders.utf8(record.topic()))
                .add(LetterHeaders.PARTITION, LetterHeaders.utf8(Integer.toString(record.partition())))
                .add(LetterHeaders.OFFSET, LetterHeaders.utf8(Long.toString(record.offset())));
    }
}
