package io.tarpon.gateway.flow;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/// Which sources, nodes or disks, failed of late, so that others are asked first. One is avoided for at least twice as
/// long as it took to find its failure out: a node that is silent for five seconds and were avoided for three would
/// have its readers wait most of the time. Each failure in a row doubles the time, up to a bound; one answer ends
/// it.
///
/// What fails while it is avoided counts no more: a window of reads fails at once, and that is one failure.
///
/// Threads: any.
public final class Avoidance {
    private final long leastNanos;
    private final long mostNanos;
    private final LongSupplier nanos;
    private final ConcurrentMap<String, Avoided> avoided = new ConcurrentHashMap<>();

    /// @param least time that a source is avoided for
    /// @param most the same after many failures in a row
    /// @param nanos a monotonic clock
    public Avoidance(Duration least, Duration most, LongSupplier nanos) {
        this.leastNanos = least.toNanos();
        this.mostNanos = most.toNanos();
        this.nanos = nanos;
    }

    private record Avoided(long since, long forNanos) {
        boolean isOver(long now) {
            return now - since >= forNanos;
        }
    }

    public boolean isAvoided(String source) {
        var known = avoided.get(source);
        return known != null && !known.isOver(nanos.getAsLong());
    }

    public void worked(String source) {
        avoided.remove(source);
    }

    /// @param cost for how long it was waited until that was known
    /// @return whether it was not avoided before
    public boolean failed(String source, Duration cost) {
        var now = nanos.getAsLong();
        var before = avoided.get(source);
        if (before != null && !before.isOver(now)) {
            return false;
        }
        var once = Math.max(leastNanos, 2 * cost.toNanos());
        var again = before == null ? 0 : 2 * before.forNanos;
        avoided.put(source, new Avoided(now, Math.min(mostNanos, Math.max(once, again))));
        return true;
    }
}
