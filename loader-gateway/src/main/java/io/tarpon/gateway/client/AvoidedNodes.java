package io.tarpon.gateway.client;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/// Which nodes failed of late, so that others are asked first. A node is avoided for at least twice as long as it took
/// to find its failure out: one that is silent for five seconds and were avoided for three would have its readers wait
/// most of the time. Each failure in a row doubles the time, up to a bound; one answer ends it.
///
/// What fails while the node is avoided counts no more: a window of reads fails at once, and that is one failure.
///
/// Threads: any.
final class AvoidedNodes {
    private final long leastNanos;
    private final long mostNanos;
    private final LongSupplier nanos;
    private final ConcurrentMap<String, Avoided> avoided = new ConcurrentHashMap<>();

    /// @param least time that a node is avoided for
    /// @param most the same after many failures in a row
    /// @param nanos a monotonic clock
    AvoidedNodes(Duration least, Duration most, LongSupplier nanos) {
        this.leastNanos = least.toNanos();
        this.mostNanos = most.toNanos();
        this.nanos = nanos;
    }

    private record Avoided(long since, long forNanos) {
        boolean isOver(long now) {
            return now - since >= forNanos;
        }
    }

    boolean isAvoided(String node) {
        var known = avoided.get(node);
        return known != null && !known.isOver(nanos.getAsLong());
    }

    void worked(String node) {
        avoided.remove(node);
    }

    /// @param cost for how long it was waited until that was known
    /// @return whether the node was not avoided before
    boolean failed(String node, Duration cost) {
        var now = nanos.getAsLong();
        var before = avoided.get(node);
        if (before != null && !before.isOver(now)) {
            return false;
        }
        var once = Math.max(leastNanos, 2 * cost.toNanos());
        var again = before == null ? 0 : 2 * before.forNanos;
        avoided.put(node, new Avoided(now, Math.min(mostNanos, Math.max(once, again))));
        return true;
    }
}
