package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Every committed event after any revision: from the tail of the replica, or, where that has forgotten it, from the
/// image's outbox.
///
/// Owned by one thread, the publisher's. Events only come from entries that the replica has replayed, so whoever
/// reads an event can read its revision.
public final class EventFeed {
    private static final int BATCH_EVENTS = 500;

    private final MetadataLog log;
    private final Replica replica;
    private final EventTail tail;

    public EventFeed(MetadataLog log, Replica replica, EventTail tail) {
        this.log = log;
        this.replica = replica;
        this.tail = tail;
    }

    /// Events after revision `after`, in order; none where there is none yet.
    ///
    /// @throws IOException they cannot be told now: a snapshot is being loaded
    public EventTail.Batch after(long after) throws IOException {
        var held = tail.after(after, BATCH_EVENTS);
        return held.isPresent() ? held.get() : kept(after);
    }

    private EventTail.Batch kept(long after) throws IOException {
        Versioned<List<CommittedEvent>> kept;
        try {
            kept = replica.read(image -> image.outbox().after(after, BATCH_EVENTS));
        } catch (TarponException e) {
            if (e.type() == ProblemType.NOT_READY) {
                throw new IOException(e.getMessage(), e);
            }
            throw e;
        }
        var events = kept.value();
        return new EventTail.Batch(
                events,
                events.size() < BATCH_EVENTS
                        ? Math.max(after, kept.revision())
                        : events.getLast().revision());
    }

    public void awaitBeyond(long after, Duration timeout) throws InterruptedException {
        tail.awaitBeyond(after, timeout);
    }

    /// Number of entries in the log.
    ///
    /// @throws LogUnavailableException that cannot be told now
    public long end() throws IOException {
        return log.end();
    }

    /// Whether events come from a replica that knows all that it must: who publishes what another knows better
    /// makes everybody wait.
    public boolean isWhole() {
        return replica.broken() == null
                && replica.unsaved() == null
                && replica.behind().isEmpty();
    }
}
