package io.tarpon.shard.stream;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// Waits for conditions with a deadline.
final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 20_000_000;

    private Eventually() {}

    static void holds(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /// Asks all the time that this lasts.
    static void holdsFor(Duration time, String what, Callable<Boolean> condition) throws Exception {
        for (long end = System.nanoTime() + time.toNanos();
                System.nanoTime() < end;
                LockSupport.parkNanos(POLL_NANOS)) {
            if (!condition.call()) {
                throw new AssertionError("not for " + time + ": " + what);
            }
        }
    }
}
