package io.tarpon.ingest.stream;

import io.opentelemetry.api.trace.SpanKind;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.smallrye.reactive.messaging.kafka.api.IncomingKafkaRecordMetadata;
import io.tarpon.ingest.BesidePlans;
import io.tarpon.ingest.Shutdown;
import io.tarpon.ingest.UploadNotices;
import io.tarpon.ingest.VersionPlanning;
import io.tarpon.ingest.upload.Attributes;
import io.tarpon.ingest.upload.Reading;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.service.stream.Tenures;
import io.tarpon.service.stream.Tenures.Tenure;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment;
import org.eclipse.microprofile.reactive.messaging.Acknowledgment.Strategy;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Works on `tarpon.uploads`, `tarpon.ingest.parallel` records at a time, those of a partition in order. A record is
/// acknowledged when its messages are in `tarpon.plans`, or its version has failed, or what it asks for is in
/// `tarpon.uploads`, or it is in the dead letters.
///
/// Notifications are acted on beside them, since a marker that does not show yet is waited for: they ask for versions
/// by uploads of their own in the topic, so what comes behind one need not wait for it. Offsets are committed up to the
/// first record that is not acknowledged, so a process that dies meanwhile has those behind it read again: each finds
/// its version. Where as many are in work as may be, the next is acted on like an upload.
///
/// What is abandoned because its partition was taken away is not acknowledged: whoever gets the partition next reads
/// the record again, and the consumer goes on with those that are left to it. A record that throws is refused: the
/// channel stops, liveness goes down, and the next process of the group starts with it; so it is, too, with the record
/// at hand when this process is to end.
@ApplicationScoped
@RegisterForReflection(targets = CooperativeStickyAssignor.class)
public class UploadConsumer {
    private static final Logger LOG = Logger.getLogger(UploadConsumer.class);

    private final UploadReading reading;
    private final VersionPlanning planning;
    private final UploadNotices notices;
    private final BesidePlans beside;
    private final UploadLetters deadLetters;
    private final Tenures tenures;
    private final Shutdown shutdown;
    private final Traces traces;

    UploadConsumer(
            UploadReading reading,
            VersionPlanning planning,
            UploadNotices notices,
            BesidePlans beside,
            UploadLetters deadLetters,
            @Identifier("ingest-fn") Tenures tenures,
            Shutdown shutdown,
            Traces traces) {
        this.reading = reading;
        this.planning = planning;
        this.notices = notices;
        this.beside = beside;
        this.deadLetters = deadLetters;
        this.tenures = tenures;
        this.shutdown = shutdown;
        this.traces = traces;
    }

    @Incoming("uploads")
    @Blocking("planning")
    @Acknowledgment(Strategy.MANUAL)
    CompletionStage<Void> take(Message<byte[]> message) {
        var record = recordOf(message);
        var tenure = tenures.of(new TopicPartition(record.topic(), record.partition()));
        if (tenure.isEmpty()) {
            return handedBack(record, "its partition was taken away");
        }
        Reading read;
        try {
            read = read(record);
        } catch (RuntimeException e) {
            return message.nack(e);
        }
        if (read instanceof Reading.Notified
                && beside.tryStart(() -> {
                    var _ = act(message, record, read, tenure.get());
                })) {
            return CompletableFuture.completedFuture(null);
        }
        return act(message, record, read, tenure.get());
    }

    private Reading read(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return new Reading.Unreadable(Refusal.UNKNOWN_TYPE, "the record has no value");
        }
        var headers = record.headers();
        return reading.read(header(headers, "content-type"), attributes(headers), record.value());
    }

    @SuppressWarnings("unchecked")
    private static ConsumerRecord<byte[], byte[]> recordOf(Message<byte[]> message) {
        return message.getMetadata(IncomingKafkaRecordMetadata.class)
                .orElseThrow(() -> new IllegalStateException("a message without its record"))
                .getRecord();
    }

    /// Neither acknowledged nor refused.
    private static CompletionStage<Void> handedBack(ConsumerRecord<byte[], byte[]> record, @Nullable String why) {
        LOG.infof(
                "upload handed back topic=%s partition=%d offset=%d why=%s",
                record.topic(), record.partition(), record.offset(), why);
        return CompletableFuture.completedFuture(null);
    }

    /// An acknowledgement after the partition was taken away would be taken for one of the same record where it has
    /// come back meanwhile.
    private CompletionStage<Void> act(
            Message<byte[]> message, ConsumerRecord<byte[], byte[]> record, Reading read, Tenure tenure) {
        try {
            tenure.during(() -> shutdown.run(tenure::isOver, () -> act(record, read)));
            return message.ack();
        } catch (IOException | RuntimeException e) {
            return tenure.isOver() ? handedBack(record, e.getMessage()) : message.nack(e);
        }
    }

    private void act(ConsumerRecord<byte[], byte[]> record, Reading read) throws IOException {
        var parent = header(record.headers(), "traceparent");
        switch (read) {
            case Reading.Unreadable(var why, var detail) -> deadLetters.bury(record, why, detail);
            case Reading.Nothing nothing -> notices.ignore(nothing.what());
            case Reading.Notified notified -> settle(record, act(notified, parent));
            case Reading.Read(var upload) -> settle(record, planning.plan(upload.tracedBy(parent)));
        }
    }

    private VersionPlanning.Outcome act(Reading.Notified notified, Optional<String> parent) throws IOException {
        var from = notified.traceparent().or(() -> parent).orElse(null);
        return traces.begin("take notification", SpanKind.CONSUMER, from).during(step -> {
            step.with("tarpon.notices", notified.notices().notices().size());
            return notices.act(notified.notices(), step.traceparent());
        });
    }

    private void settle(ConsumerRecord<byte[], byte[]> record, VersionPlanning.Outcome outcome) throws IOException {
        switch (outcome) {
            case VersionPlanning.Outcome.Done() -> {}
            case VersionPlanning.Outcome.Refused(var why, var detail) -> deadLetters.bury(record, why, detail);
        }
    }

    private static Attributes attributes(Headers headers) {
        return name -> header(headers, "ce_" + name);
    }

    private static Optional<String> header(Headers headers, String name) {
        var header = headers.lastHeader(name);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }
}
