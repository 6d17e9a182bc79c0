package io.tarpon.ingest.stream;

import io.opentelemetry.api.trace.SpanKind;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.reactive.messaging.annotations.Blocking;
import io.tarpon.ingest.Shutdown;
import io.tarpon.ingest.UploadNotices;
import io.tarpon.ingest.VersionPlanning;
import io.tarpon.ingest.upload.Attributes;
import io.tarpon.ingest.upload.Reading;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.UploadReading;
import io.tarpon.wire.trace.Traces;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.header.Headers;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/// Works on `tarpon.uploads`, `tarpon.ingest.parallel` records at a time, those of a partition in order. A record is
/// acknowledged when its method returns:
/// then its messages are in `tarpon.plans`, or its version has failed, or what it asks for is in
/// `tarpon.uploads`, or it is in the dead letters. One that throws is not acknowledged: the channel stops,
/// liveness goes down, and the next process of the group starts with it; so it is, too, with the record at hand
/// when this process is to end.
@ApplicationScoped
@RegisterForReflection(targets = CooperativeStickyAssignor.class)
public class UploadConsumer {
    private final UploadReading reading;
    private final VersionPlanning planning;
    private final UploadNotices notices;
    private final UploadLetters deadLetters;
    private final Shutdown shutdown;
    private final Traces traces;

    UploadConsumer(
            UploadReading reading,
            VersionPlanning planning,
            UploadNotices notices,
            UploadLetters deadLetters,
            Shutdown shutdown,
            Traces traces) {
        this.reading = reading;
        this.planning = planning;
        this.notices = notices;
        this.deadLetters = deadLetters;
        this.shutdown = shutdown;
        this.traces = traces;
    }

    @Incoming("uploads")
    @Blocking("planning")
    void consume(ConsumerRecord<byte[], byte[]> record) throws IOException {
        shutdown.run(() -> act(record));
    }

    private void act(ConsumerRecord<byte[], byte[]> record) throws IOException {
        if (record.value() == null) {
            deadLetters.bury(record, Refusal.UNKNOWN_TYPE, "the record has no value");
            return;
        }
        var headers = record.headers();
        switch (reading.read(header(headers, "content-type"), attributes(headers), record.value())) {
            case Reading.Unreadable(var why, var detail) -> deadLetters.bury(record, why, detail);
            case Reading.Nothing nothing -> notices.ignore(nothing.what());
            case Reading.Notified notified -> settle(record, act(notified, header(headers, "traceparent")));
            case Reading.Read(var upload) ->
                settle(record, planning.plan(upload.tracedBy(header(headers, "traceparent"))));
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
