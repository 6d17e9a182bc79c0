package io.tarpon.service.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Pauses between attempts: the first, doubled after each failure up to the longest, each cut by up to half at random,
/// so that those whom one outage stopped do not all come back at once.
///
/// @param first 1 ms to 5 min
/// @param longest from `first` to 5 min
public record Pauses(Duration first, Duration longest) {
    /// So long at most after trouble has passed does work stand still.
    public static final Duration MOST = Duration.ofMinutes(5);

    private static final Duration LEAST = Duration.ofMillis(1);

    /// 2^20 times a millisecond is more than the longest.
    private static final int DOUBLINGS = 20;

    public Pauses {
        requireBetween("the first pause", first, LEAST);
        requireBetween("the longest pause", longest, first);
    }

    /// @param failures so far in a row, from 1
    public Duration after(int failures, RandomGenerator jitter) {
        int doublings = Math.clamp(failures - 1L, 0, DOUBLINGS);
        long millis = Math.min(first.toMillis() << doublings, longest.toMillis());
        return Duration.ofMillis(millis - jitter.nextLong(millis / 2 + 1));
    }

    private static void requireBetween(String what, Duration pause, Duration least) {
        if (pause.compareTo(least) < 0 || pause.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    what + " is " + least.toMillis() + " to " + MOST.toMillis() + " ms, not " + pause.toMillis());
        }
    }
}
