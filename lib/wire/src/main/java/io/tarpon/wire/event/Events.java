package io.tarpon.wire.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import io.cloudevents.CloudEvent;
import io.cloudevents.CloudEventData;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.format.EventDeserializationException;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.rw.CloudEventRWException;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/// CloudEvents 1.0 in structured mode, as every topic of ours carries them.
public final class Events {
    public static final String CONTENT_TYPE = "application/cloudevents+json";
    private static final JsonFormat FORMAT = new JsonFormat();

    /// People write uploads by hand: what they leave out is null or false, and a name we do not know is an error.
    private static final ObjectReader UPLOADS = Json.MAPPER
            .readerFor(DatasetUploaded.class)
            .with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .without(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

    private Events() {}

    /// What surrounds the data of one event. `traceparent` is W3C Trace Context, empty where there is none.
    public record Envelope(String id, String source, Instant time, Optional<String> traceparent) {}

    /// An event with its envelope, as read.
    public record Received<T>(String id, Optional<String> traceparent, T data) {}

    public static byte[] encode(Envelope envelope, TarponEvent event) {
        return encode(envelope, event.type(), event.subject(), Json.bytes(event));
    }

    public static byte[] encode(Envelope envelope, DatasetUploaded uploaded) {
        return encode(envelope, DatasetUploaded.TYPE, uploaded.dataset().value(), Json.bytes(uploaded));
    }

    private static byte[] encode(Envelope envelope, String type, String subject, byte[] data) {
        var builder = CloudEventBuilder.v1()
                .withId(envelope.id())
                .withSource(URI.create(envelope.source()))
                .withType(type)
                .withSubject(subject)
                .withTime(envelope.time().atOffset(ZoneOffset.UTC))
                .withData("application/json", data);
        envelope.traceparent().ifPresent(parent -> builder.withExtension("traceparent", parent));
        return FORMAT.serialize(builder.build());
    }

    /// Reads one of our own events. Throws with the reason where the bytes are not one.
    public static Received<TarponEvent> decode(byte[] bytes) throws IOException {
        var event = structured(bytes);
        var kind = TarponEvent.KINDS.get(event.getType());
        if (kind == null) {
            throw new IOException("unknown event type '" + event.getType() + "'");
        }
        return new Received<>(event.getId(), traceparent(event), Json.read(data(event), kind));
    }

    /// Reads an upload in our own dialect. Throws with the reason where the event is not one.
    public static Received<DatasetUploaded> uploaded(CloudEvent event) throws IOException {
        if (!event.getType().equals(DatasetUploaded.TYPE)) {
            throw new IOException("unknown event type '" + event.getType() + "'");
        }
        DatasetUploaded uploaded = UPLOADS.readValue(data(event));
        if (uploaded == null) {
            throw new IOException("event " + event.getId() + " carries null");
        }
        return new Received<>(event.getId(), traceparent(event), uploaded);
    }

    /// Reads a structured CloudEvent of any type.
    public static CloudEvent structured(byte[] bytes) throws IOException {
        try {
            // Our own mapper looks first: its limits hold for depth, length and numbers.
            JsonNode document = Json.MAPPER.readTree(bytes);
            if (document == null || !document.isObject()) {
                throw new IOException("not a JSON object");
            }
            CloudEvent event = FORMAT.deserialize(bytes);
            if (event.getSpecVersion() != SpecVersion.V1) {
                throw new IOException("not a CloudEvent 1.0: specversion is '" + event.getSpecVersion() + "'");
            }
            if (event.getSource().toString().isEmpty()) {
                throw new IOException("not a CloudEvent 1.0: source is empty");
            }
            return event;
        } catch (JsonProcessingException e) {
            throw new IOException("not a CloudEvent 1.0: " + Json.reason(e), e);
        } catch (CloudEventRWException
                | EventDeserializationException
                | IllegalArgumentException
                | IllegalStateException e) {
            throw new IOException("not a CloudEvent 1.0: " + e.getMessage(), e);
        }
    }

    private static byte[] data(CloudEvent event) throws IOException {
        CloudEventData data = event.getData();
        if (data == null) {
            throw new IOException("event " + event.getId() + " carries no data");
        }
        return data.toBytes();
    }

    private static Optional<String> traceparent(CloudEvent event) {
        return Optional.ofNullable(event.getExtension("traceparent")).map(Object::toString);
    }
}
