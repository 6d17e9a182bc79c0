package io.tarpon.chaos;

import java.util.concurrent.atomic.AtomicLong;

/// What readers saw. Safe for several threads.
public final class ReadCounts {
    final AtomicLong whole = new AtomicLong();
    final AtomicLong resumed = new AtomicLong();
    final AtomicLong ranges = new AtomicLong();
    final AtomicLong broken = new AtomicLong();
    final AtomicLong stalled = new AtomicLong();
    final AtomicLong unavailable = new AtomicLong();
    final AtomicLong away = new AtomicLong();
    final AtomicLong gone = new AtomicLong();
    final AtomicLong gaveUp = new AtomicLong();
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong wrong = new AtomicLong();

    /// @param whole,ranges reads of a shard, or of a part of one, that came right at the first try
    /// @param resumed reads that came right after being asked again for the rest
    /// @param broken,stalled connections that broke, or stood still too long, in the middle of an answer
    /// @param unavailable answers 503
    /// @param away tries that nobody answered
    /// @param gone answers 410 for a version that had been removed
    /// @param gaveUp reads that did not come right in time
    /// @param wrongBytes reads whose bytes were not those of the manifest or of the source
    public record Seen(
            long whole,
            long ranges,
            long resumed,
            long broken,
            long stalled,
            long unavailable,
            long away,
            long gone,
            long gaveUp,
            long bytes,
            long wrongBytes) {}

    Seen seen() {
        return new Seen(
                whole.get(),
                ranges.get(),
                resumed.get(),
                broken.get(),
                stalled.get(),
                unavailable.get(),
                away.get(),
                gone.get(),
                gaveUp.get(),
                bytes.get(),
                wrong.get());
    }

    long good() {
        return whole.get() + ranges.get() + resumed.get();
    }
}
