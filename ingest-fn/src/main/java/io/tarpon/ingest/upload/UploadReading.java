package io.tarpon.ingest.upload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.rw.CloudEventRWException;
import io.tarpon.ingest.notice.Flaw;
import io.tarpon.ingest.notice.NoticeReader;
import io.tarpon.ingest.notice.NoticeReading;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads what comes in, by HTTP or Kafka: an upload as a CloudEvent 1.0 in structured or binary mode (events.md 1.8),
/// or an object store's notification, as it is or as the data of such an event.
public final class UploadReading {
    /// Longest message taken.
    public static final int MAX_BYTES = 1 << 20;

    private static final String CLOUD_EVENTS = "application/cloudevents";
    private static final String BATCH = "application/cloudevents-batch";
    private static final List<String> REQUIRED = List.of("id", "source", "specversion", "type");

    /// Types that S3's adapter and Ceph give to notifications begin so.
    private static final String S3_TYPE = "com.amazonaws.";

    private final NoticeReader notices;

    public UploadReading(NoticeReader notices) {
        this.notices = notices;
    }

    /// @param contentType as sent; empty where there is none
    public Reading read(Optional<String> contentType, Attributes attributes, byte[] body) {
        var type = contentType.orElse("").toLowerCase(Locale.ROOT);
        try {
            if (body.length > MAX_BYTES) {
                return malformed("the message has " + body.length + " bytes, more than " + MAX_BYTES);
            }
            if (type.startsWith(BATCH)) {
                return malformed("a batch of events is not taken; send them one by one as " + Events.CONTENT_TYPE);
            }
            if (type.startsWith(CLOUD_EVENTS)) {
                return event(structured(body));
            }
            boolean isBinary =
                    REQUIRED.stream().anyMatch(name -> attributes.value(name).isPresent());
            return isBinary ? event(binary(attributes, type, body)) : plain(body);
        } catch (IOException | IllegalArgumentException | CloudEventRWException e) {
            return malformed(reason(e));
        }
    }

    private Reading plain(byte[] body) throws IOException {
        return switch (notices.read(body)) {
            case NoticeReading.CloudEvent() -> event(structured(body));
            case NoticeReading other -> notified(other, null);
        };
    }

    private static Reading notified(NoticeReading reading, @Nullable CloudEvent event) {
        return switch (reading) {
            case NoticeReading.Notices read -> new Reading.Notified(read, event);
            case NoticeReading.Nothing(var what) -> new Reading.Nothing(what, event);
            case NoticeReading.CloudEvent() -> malformed("a CloudEvent inside a CloudEvent is not taken");
            case NoticeReading.Unreadable(var flaw) -> new Reading.Unreadable(why(flaw), flaw.detail());
        };
    }

    /// How a flaw is called in the dead letters.
    public static Refusal why(Flaw flaw) {
        return switch (flaw.kind()) {
            case UNKNOWN -> Refusal.UNKNOWN_TYPE;
            case BROKEN -> Refusal.MALFORMED;
        };
    }

    private static CloudEvent structured(byte[] body) throws IOException {
        requireText(body);
        return Events.structured(body);
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
        requireText(body);
        var event = CloudEventBuilder.v1()
                .withId(attributes.value("id").orElseThrow())
                .withSource(URI.create(attributes.value("source").orElseThrow()))
                .withType(attributes.value("type").orElseThrow())
                .withData("application/json", body);
        attributes.value("time").ifPresent(time -> event.withContextAttribute("time", time));
        attributes.value("traceparent").ifPresent(parent -> event.withExtension("traceparent", parent));
        return event.build();
    }

    /// A parser of JSON guesses other encodings and skips a byte order mark; two programs could guess two things.
    private static void requireText(byte[] body) throws IOException {
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (text.startsWith("\ufeff") || text.indexOf('\0') >= 0) {
                throw new IOException("the event has a byte order mark or a NUL in it, so it is not JSON in UTF-8");
            }
        } catch (CharacterCodingException e) {
            throw new IOException("the event is not UTF-8", e);
        }
    }

    private Reading event(CloudEvent event) throws IOException {
        if (event.getType().startsWith(S3_TYPE)) {
            var data = event.getData();
            return data == null
                    ? malformed("event " + event.getId() + " carries no data")
                    : notified(notices.read(data.toBytes()), event);
        }
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
