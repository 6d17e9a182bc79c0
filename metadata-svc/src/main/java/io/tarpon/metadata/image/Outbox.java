package io.tarpon.metadata.image;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Every event that the replayed entries told, from where the log begins, in the store of the image: whoever comes to
/// publish finds what is missing without replaying the log. The log is not trimmed beyond what is published.
public final class Outbox {
    private final ImageStore store;

    Outbox(ImageStore store) {
        this.store = store;
    }

    /// One event as it is kept.
    ///
    /// @param type the CloudEvent's, which says what `event` is
    public record Kept(
            long revision, int number, Instant at, @Nullable String traceparent, String type, JsonNode event) {}

    void add(CommittedEvent committed) {
        var event = committed.event();
        store.put(
                StoreKeys.event(committed.revision(), committed.number()),
                Json.bytes(new Kept(
                        committed.revision(),
                        committed.number(),
                        committed.at(),
                        committed.traceparent(),
                        event.type(),
                        Json.MAPPER.valueToTree(event))));
    }

    /// Drops what was told up to this revision.
    void forget(long upTo) {
        store.deleteAll(StoreKeys.event(0, 0), StoreKeys.event(upTo + 1, 0));
    }

    /// Events after revision `after`, in order, some `limit` of them and whole revisions only.
    public List<CommittedEvent> after(long after, int limit) {
        var found = new ArrayList<CommittedEvent>();
        store.scan(StoreKeys.event(after + 1, 0), StoreKeys.after(StoreKeys.events()), (_, value) -> {
            var event = read(value);
            if (found.size() >= limit && event.revision() != found.getLast().revision()) {
                return false;
            }
            return found.add(event);
        });
        return found;
    }

    private static CommittedEvent read(byte[] value) {
        try {
            var kept = Json.read(value, Kept.class);
            var kind = TarponEvent.KINDS.get(kept.type());
            if (kind == null) {
                throw new IllegalStateException(
                        "an event of type " + kept.type() + " was kept, which there is none of");
            }
            return new CommittedEvent(
                    kept.revision(),
                    kept.number(),
                    kept.at(),
                    kept.traceparent(),
                    Json.MAPPER.treeToValue(kept.event(), kind));
        } catch (IOException e) {
            throw new IllegalStateException("an event that was kept cannot be read: " + e.getMessage(), e);
        }
    }
}
