package io.tarpon.metadata.node;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Which entries the replicas that live can read, by what each says of itself on the presence topic.
///
/// A replica that was not heard for as long as `silence` does not count. Whoever wakes up after that, and finds
/// entries that it cannot read, stops and says so.
///
/// Guarded by its own monitor. Time is given, in nanoseconds of a clock that stands still while nothing is heard.
public final class Replicas {
    /// Of who cannot be understood.
    private static final String STRANGER = "";

    private final long silenceNanos;
    private final long begun;
    private final Map<String, Heard> heard = new HashMap<>();

    private record Heard(int level, long at) {}

    /// @param silence after which a replica counts as gone
    public Replicas(Duration silence, long now) {
        this.silenceNanos = silence.toNanos();
        this.begun = now;
    }

    /// @param level the newest format of entries that it reads
    public synchronized void listening(String replica, int level, long now) {
        heard.put(replica, new Heard(level, now));
        forget(now);
    }

    /// Somebody said what this one does not understand, so it may be a replica of another version.
    public synchronized void notUnderstood(long now) {
        listening(STRANGER, 0, now);
    }

    /// Whether every replica that lives reads entries of this format. Not before it was listened for so long that
    /// each of them was heard.
    public synchronized boolean allRead(int level, long now) {
        forget(now);
        return now - begun >= silenceNanos
                && !heard.isEmpty()
                && heard.values().stream().allMatch(replica -> replica.level() >= level);
    }

    private void forget(long now) {
        heard.values().removeIf(replica -> now - replica.at() > silenceNanos);
    }
}
