package io.tarpon.ingest.stream;

import io.smallrye.reactive.messaging.annotations.Blocking;
import io.tarpon.ingest.VersionPlanning;
import io.tarpon.ingest.upload.Attributes;
import io.tarpon.ingest.upload.Reading;
import io.tarpon.ingest.upload.Refusal;
import io.tarpon.ingest.upload.UploadReading;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.eclipse.microprofile.reactive.messaging.Incoming;

/// Works on `tarpon.uploads`, one record at a time, in order. A record is acknowledged when its method returns: then
/// its messages are in
/// `tarpon.plans`, or its version has failed, or it is in the dead letters. One that throws is not acknowledged: the
/// channel stops, liveness goes
/// down, and the next process of the group starts with it.
@ApplicationScoped
public class UploadConsumer {
    private final VersionPlanning planning;
    private final DeadLetters deadLetters;

    UploadConsumer(VersionPlanning planning, DeadLetters deadLetters) {
        this.planning = planning;
        this.deadLetters = deadLetters;
    }

    @Incoming("uploads")
    @Blocking("planning")
    void consume(ConsumerRecord<byte[], byte[]> record) throws IOException {
        if (record.value() == null) {
            deadLetters.bury(record, Refusal.UNKNOWN_TYPE, "the record has no value");
            return;
        }
        var attributes = attributes(record.headers());
        switch (UploadReading.read(header(record.headers(), "content-type"), attributes, record.value())) {
            case Reading.Unreadable(var why, var detail) -> deadLetters.bury(record, why, detail);
            case Reading.Read(var upload) -> {
                switch (planning.plan(upload)) {
                    case VersionPlanning.Outcome.Done() -> {}
                    case VersionPlanning.Outcome.Refused(var why, var detail) -> deadLetters.bury(record, why, detail);
                }
            }
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
