package io.tarpon.metadata.replica;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Threads that wait for a revision. Each is woken once that is there, and not before: with many of them, waking all
/// at each step would cost more than the step. Guarded by its own lock, which nobody waits under.
final class Waiters {
    private final Queue<Waiter> queue = new PriorityQueue<>(Comparator.comparingLong(Waiter::wanted));

    private static final class Waiter {
        private final long wanted;
        private final Thread thread = Thread.currentThread();
        private volatile boolean isWoken;

        private Waiter(long wanted) {
            this.wanted = wanted;
        }

        private long wanted() {
            return wanted;
        }

        private void wake() {
            isWoken = true;
            LockSupport.unpark(thread);
        }
    }

    /// Returns when woken, when there is nothing to wait for, or after `timeout`.
    ///
    /// @param isOver whether there is nothing to wait for; asked again after this thread can be woken
    void await(long wanted, BooleanSupplier isOver, Duration timeout) throws InterruptedException {
        var until = System.nanoTime() + timeout.toNanos();
        var waiter = new Waiter(wanted);
        synchronized (queue) {
            queue.add(waiter);
        }
        try {
            for (var left = timeout.toNanos();
                    !waiter.isWoken && !isOver.getAsBoolean() && left > 0;
                    left = until - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while revision " + wanted + " was waited for");
                }
            }
        } finally {
            if (!waiter.isWoken) {
                synchronized (queue) {
                    queue.remove(waiter);
                }
            }
        }
    }

    /// The revision is there, and all before it.
    void wake(long revision) {
        synchronized (queue) {
            for (var next = queue.peek(); next != null && next.wanted <= revision; next = queue.peek()) {
                queue.remove().wake();
            }
        }
    }

    void wakeAll() {
        wake(Long.MAX_VALUE);
    }
}
