package io.tarpon.ingest.notice;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads one element of `Records` (events.md 1.2, 1.5, 1.6), or the `detail` of an EventBridge event (1.4). Fields that
/// are not known are passed over.
final class RecordReading {
    private static final int MAX_SHOWN_CHARS = 60;
    private static final int MAX_BUCKET_CHARS = 255;
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.\\d{1,4}");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,19}");
    private static final String MAJOR = "2";
    private static final String BRIDGE_MAJOR = "1";

    private RecordReading() {}

    /// @param outerKey what MinIO puts beside `Records`, bucket and decoded key; null where there is none
    static Notice s3(JsonNode record, @Nullable String outerKey) throws FlawException {
        var source = text(record, "eventSource");
        var dialect = Dialect.ofRecord(source)
                .orElseThrow(() -> FlawException.unknown("unknown eventSource '" + shown(source) + "'"));
        requireMajor("eventVersion", text(record, "eventVersion"), MAJOR);
        var name = text(record, "eventName");
        var bare = name.startsWith("s3:") ? name.substring("s3:".length()) : name;
        var object = record.path("s3").path("object");
        var bucket = bucket(record.path("s3").path("bucket"));
        var coded = text(object, "key");
        var key = KeyCoding.require(dialect.keys().decode(coded));
        requireSame(outerKey, bucket, key, coded);
        return new Notice(
                dialect,
                bucket,
                key,
                dialect.op(bare),
                bare,
                size(dialect, dialect.op(bare), object.path("size")),
                text(object, "eTag"),
                text(object, "versionId"),
                text(object, "sequencer"),
                time(text(record, "eventTime")));
    }

    static Notice bridged(JsonNode event, KeyCoding keys) throws FlawException {
        var dialect = Dialect.EVENT_BRIDGE;
        var source = text(event, "source");
        if (!source.equals(dialect.eventSource())) {
            throw FlawException.unknown("unknown source '" + shown(source) + "' of an EventBridge event");
        }
        var detail = event.path("detail");
        var version = text(detail, "event-version");
        if (!version.isEmpty()) {
            requireMajor("event-version", version, BRIDGE_MAJOR);
        }
        var name = text(event, "detail-type");
        var object = detail.path("object");
        return new Notice(
                dialect,
                bucket(detail.path("bucket")),
                KeyCoding.require(keys.decode(text(object, "key"))),
                dialect.op(name),
                name,
                size(dialect, dialect.op(name), object.path("size")),
                text(object, "etag"),
                text(object, "version-id"),
                text(object, "sequencer"),
                time(text(event, "time")));
    }

    private static void requireMajor(String field, String version, String major) throws FlawException {
        var parts = VERSION.matcher(version);
        if (!parts.matches() || !parts.group(1).equals(major)) {
            throw FlawException.broken(field + " '" + shown(version) + "' is not " + major + ".x");
        }
    }

    private static String bucket(JsonNode bucket) throws FlawException {
        var name = text(bucket, "name");
        if (name.isEmpty() || name.length() > MAX_BUCKET_CHARS) {
            throw FlawException.broken("bucket.name is missing or has more than " + MAX_BUCKET_CHARS + " characters");
        }
        return name;
    }

    /// MinIO says the key twice, decoded outside. If both do not mean one object, neither is believed.
    private static void requireSame(@Nullable String outerKey, String bucket, String key, String coded)
            throws FlawException {
        if (outerKey != null && !outerKey.equals(bucket + "/" + key) && !outerKey.equals(bucket + "/" + coded)) {
            throw FlawException.broken("Key and Records[0].s3.object.key name two objects: '" + shown(outerKey)
                    + "' and '" + shown(bucket + "/" + key) + "'");
        }
    }

    /// A number, or its digits as text, as Ceph's documentation has it.
    private static @Nullable Long size(Dialect dialect, Notice.Op op, JsonNode size) throws FlawException {
        if (size.isMissingNode() || size.isNull()) {
            return op == Notice.Op.CREATED && dialect.isMissingSizeZero() ? 0L : null;
        }
        if (size.isIntegralNumber() && size.canConvertToLong() && size.longValue() >= 0) {
            return size.longValue();
        }
        if (size.isTextual() && DIGITS.matcher(size.textValue()).matches()) {
            try {
                return Long.parseLong(size.textValue());
            } catch (NumberFormatException e) {
                throw FlawException.broken("size " + size.textValue() + " is more than an object can have");
            }
        }
        throw FlawException.broken("size " + shown(size.asText()) + " is not a whole number from 0 to 2^63-1");
    }

    private static @Nullable Instant time(String text) {
        try {
            return text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            // Only says how long to wait for an object, so a wrong one does no harm.
            return null;
        }
    }

    /// Empty where the field is missing or null; anything but text is an error.
    private static String text(JsonNode parent, String field) throws FlawException {
        var value = parent.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw FlawException.broken(field + " is not text");
        }
        return value.textValue();
    }

    private static String shown(String text) {
        return text.length() <= MAX_SHOWN_CHARS ? text : text.substring(0, MAX_SHOWN_CHARS) + "…";
    }
}
