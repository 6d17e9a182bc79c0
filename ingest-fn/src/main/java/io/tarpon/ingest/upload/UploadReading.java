package io.tarpon.ingest.upload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.rw.CloudEventRWException;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads an upload from a CloudEvent 1.0 in structured or binary mode (events.md 1.8), by HTTP or Kafka.
public final class UploadReading {
    private static final String CLOUD_EVENTS = "application/cloudevents";
    private static final String BATCH = "application/cloudevents-batch";
    private static final List<String> REQUIRED = List.of("id", "source", "specversion", "type");

    private UploadReading() {}

    /// @param contentType as sent; empty where there is none
    public static Reading read(Optional<String> contentType, Attributes attributes, byte[] body) {
        var type = contentType.orElse("").toLowerCase(Locale.ROOT);
        try {
            if (type.startsWith(BATCH)) {
                return malformed("a batch of events is not taken; send them one by one as " + Events.CONTENT_TYPE);
            }
            if (type.startsWith(CLOUD_EVENTS)) {
                return upload(Events.structured(body));
            }
            var given = REQUIRED.stream()
                    .filter(name -> attributes.value(name).isPresent())
                    .toList();
            if (given.isEmpty()) {
                return new Reading.Unreadable(
                        Refusal.UNKNOWN_TYPE,
                        "not a CloudEvent: there is neither content type " + Events.CONTENT_TYPE
                                + " nor the attributes of binary mode");
            }
            return upload(binary(attributes, type, body));
        } catch (IOException | IllegalArgumentException | CloudEventRWException e) {
            return malformed(reason(e));
        }
    }

    private static CloudEvent binary(Attributes attributes, String contentType, byte[] body) throws IOException {
        for (var name : REQUIRED) {
            if (attributes.value(name).isEmpty()) {
                throw new IOException("the event lacks the attribute '" + name + "'");
            }
        }
        var version = attributes.value("specversion").orElseThrow();
        if (!version.equals("1.0")) {
            throw new IOException("specversion '" + version + "' is not 1.0");
        }
        if (!contentType.isEmpty() && !contentType.startsWith("application/json")) {
            throw new IOException("content type '" + contentType + "' of the event's data is not application/json");
        }
        var event = CloudEventBuilder.v1()
                .withId(attributes.value("id").orElseThrow())
                .withSource(URI.create(attributes.value("source").orElseThrow()))
                .withType(attributes.value("type").orElseThrow())
                .withData("application/json", body);
        attributes.value("time").ifPresent(time -> event.withContextAttribute("time", time));
        attributes.value("traceparent").ifPresent(parent -> event.withExtension("traceparent", parent));
        return event.build();
    }

    private static Reading upload(CloudEvent event) throws IOException {
        if (!event.getType().equals(DatasetUploaded.TYPE)) {
            return new Reading.Unreadable(
                    Refusal.UNKNOWN_TYPE, "unknown event type '" + event.getType() + "', not " + DatasetUploaded.TYPE);
        }
        var received = Events.uploaded(event);
        var time = event.getTime();
        return new Reading.Read(new Upload(
                received.id(),
                event.getSource().toString(),
                time == null ? Optional.empty() : Optional.of(time.toInstant()),
                received.traceparent(),
                received.data()));
    }

    private static Reading malformed(String detail) {
        return new Reading.Unreadable(Refusal.MALFORMED, detail);
    }

    /// What is wrong, without the parser's talk of places in its own classes.
    private static String reason(Exception e) {
        var cause = e.getCause();
        if (e instanceof ValueInstantiationException && cause != null) {
            return String.valueOf(cause.getMessage());
        }
        return e instanceof JsonProcessingException json ? json.getOriginalMessage() : String.valueOf(e.getMessage());
    }
}
