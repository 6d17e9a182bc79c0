package io.tarpon.ingest.notice;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.ingest.notice.NoticeReading.Notices;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a notification of an object store, told by its fields, out of at most three envelopes. No URL in any of them
/// is looked at.
public final class NoticeReader {
    /// A text that holds JSON is one layer, whatever the field is called.
    static final int MAX_LAYERS = 3;

    private final KeyCoding bridgedKeys;

    /// @param areBridgedKeysEncoded whether keys in EventBridge events are form-encoded, like those in `Records`
    public NoticeReader(boolean areBridgedKeysEncoded) {
        this.bridgedKeys = areBridgedKeysEncoded ? KeyCoding.FORM : KeyCoding.RAW;
    }

    public NoticeReading read(byte[] body) {
        try {
            return read(Documents.read(body), 0);
        } catch (FlawException e) {
            return new NoticeReading.Unreadable(e.flaw());
        }
    }

    private NoticeReading read(JsonNode node, int layer) throws FlawException {
        if (node.isTextual()) {
            return inside(node, layer);
        }
        if (node.has("Records")) {
            return records(node.get("Records"), node.path("Key"));
        }
        if (node.path("Event").asText().equals("s3:TestEvent")) {
            return new NoticeReading.Nothing("the test event of a new S3 notification configuration");
        }
        if (node.has("Type") && node.has("Message")) {
            return topic(node, layer);
        }
        if (node.path("Body").isTextual()) {
            return inside(node.get("Body"), layer);
        }
        if (node.has("detail-type")) {
            return new Notices(List.of(RecordReading.bridged(node, bridgedKeys)), List.of());
        }
        if (node.has("eventName") && node.has("s3")) {
            return new Notices(List.of(RecordReading.s3(node, null)), List.of());
        }
        if (node.has("EventName") && node.has("Key")) {
            return new NoticeReading.Nothing("a notification without Records");
        }
        if (node.has("specversion") && layer == 0) {
            return new NoticeReading.CloudEvent();
        }
        throw FlawException.unknown("this is not a CloudEvent, and not a notification of an object store");
    }

    /// SNS. What it asks to confirm is confirmed by a person: a URL out of an event is never fetched.
    private NoticeReading topic(JsonNode envelope, int layer) throws FlawException {
        return switch (envelope.get("Type").asText()) {
            case "Notification" -> inside(envelope.get("Message"), layer);
            case "SubscriptionConfirmation", "UnsubscribeConfirmation" ->
                new NoticeReading.Nothing("an SNS confirmation; confirm it by hand if it is yours");
            default -> throw FlawException.unknown("an envelope of unknown Type");
        };
    }

    private NoticeReading inside(JsonNode text, int layer) throws FlawException {
        if (!text.isTextual()) {
            throw FlawException.broken("an envelope whose message is not text");
        }
        if (layer == MAX_LAYERS) {
            throw FlawException.broken("more than " + MAX_LAYERS + " envelopes around each other");
        }
        return read(Documents.read(text.textValue()), layer + 1);
    }

    private static NoticeReading records(JsonNode records, JsonNode outerKey) throws FlawException {
        if (records.isNull()) {
            return new Notices(List.of(), List.of());
        }
        if (!records.isArray()) {
            throw FlawException.broken("Records is not an array");
        }
        var notices = new ArrayList<Notice>(records.size());
        var flaws = new ArrayList<Flaw>();
        @Nullable String outer = records.size() == 1 && outerKey.isTextual() ? outerKey.textValue() : null;
        for (var record : records) {
            try {
                notices.add(RecordReading.s3(record, outer));
            } catch (FlawException e) {
                if (flaws.size() < Notices.MAX_FLAWS) {
                    flaws.add(e.flaw());
                }
            }
        }
        return new Notices(notices, flaws);
    }
}
