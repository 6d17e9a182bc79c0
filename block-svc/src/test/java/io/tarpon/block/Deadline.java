package io.tarpon.block;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// Waits for what another thread or process does, for so long and no longer.
final class Deadline {
    private static final Duration MOST = Duration.ofSeconds(30);

    private Deadline() {}

    static void until(String what, Callable<Boolean> holds) throws Exception {
        var end = System.nanoTime() + MOST.toNanos();
        while (!holds.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + MOST + ": " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
