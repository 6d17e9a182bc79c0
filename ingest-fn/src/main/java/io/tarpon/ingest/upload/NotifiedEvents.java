package io.tarpon.ingest.upload;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.jackson.JsonFormat;

/// CloudEvents that carry a notification, passed on.
public final class NotifiedEvents {
    private static final JsonFormat FORMAT = new JsonFormat();

    private NotifiedEvents() {}

    /// The same event as the cause of something else in a trace.
    public static CloudEvent continuedBy(CloudEvent event, String traceparent) {
        return CloudEventBuilder.v1(event)
                .withExtension("traceparent", traceparent)
                .build();
    }

    /// Structured mode, with all attributes and the data as they came.
    public static byte[] encode(CloudEvent event) {
        return FORMAT.serialize(event);
    }
}
