package io.tarpon.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Waits for a condition that another thread or process brings about, for so long and no longer: never for a time.
public final class Deadline {
    /// Many times what anything takes that a test waits for, on a machine with ten times the work it can do.
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static final Duration STEP = Duration.ofMillis(5);

    private Deadline() {}

    /// What is asked again and again; what it throws ends the wait.
    public interface Condition<X extends Exception> {
        boolean holds() throws X;
    }

    /// @param what is said when it did not come true
    public static <X extends Exception> void until(String what, Condition<X> condition) throws X {
        until(LONGEST, what, condition);
    }

    public static <X extends Exception> void until(Duration longest, String what, Condition<X> condition) throws X {
        var end = System.nanoTime() + longest.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + longest + ": " + what);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    /// Asks all the time that this lasts.
    public static <X extends Exception> void always(Duration time, String what, Condition<X> condition) throws X {
        var end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            if (!condition.holds()) {
                throw new AssertionError("not for " + time + ": " + what);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }
}
