package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Which versions have open reads, as gateways said last, in monotonic nanoseconds that the caller brings. Not in the
/// log: a restart forgets it, and until every gateway had time to say it again nothing is known. Nor is it for so long
/// after a gateway could not be listened to, because there were too many. What a gateway does not repeat lapses.
///
/// Safe for any thread. Two reports of one gateway that overtake each other leave the earlier one for at most one
/// interval, and what it names was open a moment ago.
public final class OpenReads {
    private final long lapseNanos;
    private final int maxReaders;
    private final Map<String, Report> reports = new ConcurrentHashMap<>();
    /// When a report was missed last; the start counts as one.
    private volatile long missedNanos;

    private record Report(long atNanos, Set<VersionName> versions) {}

    /// @param lapse how long a report counts
    /// @param maxReaders how many gateways may report
    public OpenReads(Duration lapse, int maxReaders, long nowNanos) {
        this.lapseNanos = lapse.toNanos();
        this.maxReaders = maxReaders;
        this.missedNanos = nowNanos;
    }

    /// Takes the place of what this gateway reported before.
    public void report(String reader, Set<VersionName> versions, long nowNanos) {
        reports.values().removeIf(report -> nowNanos - report.atNanos() > lapseNanos);
        if (versions.isEmpty()) {
            reports.remove(reader);
            return;
        }
        if (reports.size() >= maxReaders && !reports.containsKey(reader)) {
            missedNanos = nowNanos;
            throw new TarponException(
                    ProblemType.OVERLOADED,
                    "reader " + reader + " would be one more than " + maxReaders + ": raise tarpon.gc.max-readers");
        }
        reports.put(reader, new Report(nowNanos, Set.copyOf(versions)));
    }

    /// Some gateway may have reported and was not heard.
    public void missed(long nowNanos) {
        missedNanos = nowNanos;
    }

    /// Whether every gateway that has open reads had time to say so.
    public boolean isKnown(long nowNanos) {
        return nowNanos - missedNanos > lapseNanos;
    }

    public Set<VersionName> open(long nowNanos) {
        var open = new HashSet<VersionName>();
        reports.values().stream()
                .filter(report -> nowNanos - report.atNanos() <= lapseNanos)
                .forEach(report -> open.addAll(report.versions()));
        return open;
    }
}
