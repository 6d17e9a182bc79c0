package io.tarpon.ingest.upload;

import io.cloudevents.CloudEvent;
import io.cloudevents.jackson.JsonFormat;

/// CloudEvents that carry a notification, passed on.
public final class NotifiedEvents {
    private static final JsonFormat FORMAT = new JsonFormat();

    private NotifiedEvents() {}

    /// Structured mode, with all attributes and the data as they came.
    public static byte[] encode(CloudEvent event) {
        return FORMAT.serialize(event);
    }
}
