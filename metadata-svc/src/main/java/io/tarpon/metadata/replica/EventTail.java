package io.tarpon.metadata.replica;

import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Replayed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The events of the last entries replayed, so that a publisher which keeps up need not read the log again.
///
/// Bounded: what a slow publisher misses is forgotten here and read from the image's outbox ([EventFeed]). Guarded by
/// its own monitor; the replay thread adds, the publisher reads.
public final class EventTail {
    private final int capacity;
    private final ArrayDeque<CommittedEvent> events = new ArrayDeque<>();
    /// Every event of a later revision, up to `revision`, is held.
    private long complete;
    private long revision;

    /// @param capacity how many events are held
    public EventTail(int capacity) {
        this.capacity = capacity;
    }

    /// Nothing is held of what was replayed up to here.
    synchronized void begin(long replayed) {
        events.clear();
        complete = replayed;
        revision = replayed;
        notifyAll();
    }

    synchronized void add(Replayed replayed) {
        revision = replayed.revision();
        for (var event : replayed.events()) {
            if (events.size() == capacity) {
                complete = events.removeFirst().revision();
            }
            events.addLast(event);
        }
        notifyAll();
    }

    /// What was replayed after `after`, oldest first, at most `limit` events and whole revisions only; empty
    /// where that is forgotten.
    synchronized Optional<Batch> after(long after, int limit) {
        if (after < complete) {
            return Optional.empty();
        }
        var found = new ArrayList<CommittedEvent>();
        for (var event : events) {
            if (event.revision() > after) {
                if (found.size() >= limit && event.revision() != found.getLast().revision()) {
                    return Optional.of(new Batch(found, found.getLast().revision()));
                }
                found.add(event);
            }
        }
        return Optional.of(new Batch(found, Math.max(after, revision)));
    }

    /// Waits until something after `after` was replayed, at most `timeout`.
    synchronized void awaitBeyond(long after, Duration timeout) throws InterruptedException {
        var deadline = System.nanoTime() + timeout.toNanos();
        for (var left = timeout.toMillis();
                revision <= after && left > 0;
                left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    /// Some events in order, and the revision up to which there are no others.
    public record Batch(List<CommittedEvent> events, long upTo) {
        public Batch {
            events = List.copyOf(events);
        }
    }
}
