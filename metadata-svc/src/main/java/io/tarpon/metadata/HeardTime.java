package io.tarpon.metadata;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Steady time in nanoseconds that goes on only while this replica hears what the others tell: it says something
/// itself again and again, and what passes until it hears that counts for two intervals at most. While it hears
/// nothing, because it stands still or the broker is away, nobody seems to be silent.
///
/// Safe for any thread.
final class HeardTime implements LongSupplier {
    private final LongSupplier nanoTime;
    private final long mostNanos;
    private long heardAtNanos;
    private long countedNanos;
    private boolean hasHeard;

    /// @param interval between two signs of its own
    HeardTime(LongSupplier nanoTime, Duration interval) {
        this.nanoTime = nanoTime;
        this.mostNanos = 2 * interval.toNanos();
        this.heardAtNanos = nanoTime.getAsLong();
    }

    /// Its own sign was heard. Returns whether others may have gone unheard since the one before.
    synchronized boolean heard() {
        var now = nanoTime.getAsLong();
        var passed = now - heardAtNanos;
        countedNanos += Math.clamp(passed, 0, mostNanos);
        heardAtNanos = now;
        var mayHaveMissed = !hasHeard || passed > mostNanos;
        hasHeard = true;
        return mayHaveMissed;
    }

    synchronized boolean isListening() {
        return hasHeard && nanoTime.getAsLong() - heardAtNanos <= mostNanos;
    }

    /// As of when it heard last.
    @Override
    public synchronized long getAsLong() {
        return countedNanos;
    }
}
