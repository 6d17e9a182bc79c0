package io.tarpon.ingest.stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.service.retry.Patience;
import io.tarpon.service.stream.DeadLetters;
import io.tarpon.service.stream.LetterHeaders;
import io.tarpon.service.stream.Outbound;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.jspecify.annotations.Nullable;

/// `tarpon.uploads.dlq`: what ingest-fn cannot act on, and what it puts back from any dead letters.
@ApplicationScoped
@Startup
public class UploadLetters {
    private static final String TOPIC = "tarpon.uploads.dlq";

    /// Letters that are put back at a time, and those that functions bury meanwhile.
    private static final int MAX_WAITING = 256;

    private final Emitter<byte @Nullable []> emitter;
    private final DeadLetters letters;
    private final MeterRegistry meters;
    private final Patience patience;

    UploadLetters(
            @Channel("dead-letters") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = MAX_WAITING)
                    Emitter<byte @Nullable []> emitter,
            MeterRegistry meters,
            Patience patience) {
        this.emitter = emitter;
        this.letters = new DeadLetters(TOPIC, emitter);
        this.meters = meters;
        this.patience = patience;
        for (var reason : Refusal.values()) {
            meters.counter("tarpon.dead.letters", "topic", TOPIC, "reason", reason.wireName());
        }
    }

    /// Afterwards the record is in the dead letters. A broker that is away is waited for, until this process is to end.
    /// After an exception it may be there; once more does no harm.
    void bury(ConsumerRecord<byte[], byte[]> record, Refusal why, String detail) throws IOException {
        var what = "bury " + record.topic() + "/" + record.partition() + "/" + record.offset();
        var _ = patience.keepTrying(what, () -> {
            letters.bury(record, why.wireName(), detail);
            return true;
        });
        meters.counter("tarpon.dead.letters", "topic", TOPIC, "reason", why.wireName())
                .increment();
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
}
