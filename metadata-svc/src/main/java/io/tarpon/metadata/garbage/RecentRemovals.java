package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.event.TarponEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/// Which versions were removed less than a grace ago, in monotonic nanoseconds that the caller brings. The time in an
/// entry is that of a clock, which may be set: one that jumps ahead by more than the grace must not take a version
/// away under its readers. What was removed before a start counts as removed then.
///
/// Holds what was removed within one grace. Guarded by its monitor; the replaying thread adds.
public final class RecentRemovals {
    private final long graceNanos;
    private final ArrayDeque<Removal> removals = new ArrayDeque<>();

    private record Removal(VersionName version, long atNanos) {}

    public RecentRemovals(Duration grace) {
        this.graceNanos = grace.toNanos();
    }

    /// Takes what was known as removed at the start.
    public synchronized void begin(Collection<VersionName> removed, long nowNanos) {
        removed.forEach(version -> removals.addLast(new Removal(version, nowNanos)));
    }

    /// Takes what was replayed.
    public synchronized void look(CommittedEvent committed, long nowNanos) {
        forget(nowNanos);
        if (committed.event() instanceof TarponEvent.VersionRemoved removed) {
            removals.addLast(new Removal(new VersionName(removed.dataset(), removed.version()), nowNanos));
        }
    }

    public synchronized Set<VersionName> versions(long nowNanos) {
        forget(nowNanos);
        var versions = new HashSet<VersionName>();
        removals.forEach(removal -> versions.add(removal.version()));
        return versions;
    }

    private void forget(long nowNanos) {
        while (!removals.isEmpty() && nowNanos - removals.getFirst().atNanos() >= graceNanos) {
            removals.removeFirst();
        }
    }
}
