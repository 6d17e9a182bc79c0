package io.tarpon.ingest.stream;

import io.tarpon.wire.event.Events;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/// The header of a structured CloudEvent in Kafka.
final class CloudEventHeaders {
    private CloudEventHeaders() {}

    static Headers structured() {
        return new RecordHeaders().add("content-type", Events.CONTENT_TYPE.getBytes(StandardCharsets.US_ASCII));
    }
}
