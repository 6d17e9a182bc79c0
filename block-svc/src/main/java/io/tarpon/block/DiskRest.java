package io.tarpon.block;

import java.time.Duration;

/// A disk that failed takes no new blocks for a while while others can: a second after the first failure, twice as long
/// after each one more, a minute at most, until a write succeeds. What lies on it is read on.
///
/// One lock guards it.
final class DiskRest {
    private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();

    private long pauseNanos;
    private long failedAt;
    private long failures;

    /// Answers whether it is the first failure since the last success.
    synchronized boolean failed(long nowNanos) {
        var first = pauseNanos == 0;
        if (first || nowNanos - failedAt >= pauseNanos) {
            pauseNanos = first ? FIRST_NANOS : Math.min(LONGEST_NANOS, 2 * pauseNanos);
            failedAt = nowNanos;
        }
        failures++;
        return first;
    }

    synchronized void succeeded() {
        pauseNanos = 0;
    }

    synchronized boolean isResting(long nowNanos) {
        return pauseNanos > 0 && nowNanos - failedAt < pauseNanos;
    }

    /// Failures ever.
    synchronized long failures() {
        return failures;
    }
}
