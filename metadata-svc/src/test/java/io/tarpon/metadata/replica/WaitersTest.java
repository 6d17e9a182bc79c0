package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.testkit.Deadline;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WaitersTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Waiters waiters = new Waiters();

    @Test
    void eachIsWokenByItsRevisionAndNotBefore() throws Exception {
        var woken = new ConcurrentLinkedQueue<Integer>();
        var asked = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var wanted = 3; wanted > 0; wanted--) {
                var mine = wanted;
                threads.submit(() -> {
                    waiters.await(mine, () -> asked.incrementAndGet() < 0, LONG);
                    return woken.add(mine);
                });
            }
            Deadline.until("all three wait", () -> asked.get() == 3);
            for (var revision = 1; revision < 4; revision++) {
                var now = revision;
                waiters.wake(now);
                Deadline.until("one more is woken", () -> woken.size() == now);
            }
        }
        assertThat(woken).containsExactly(1, 2, 3);
    }

    @Test
    void whoComesLateWaitsForNothing() throws Exception {
        waiters.wake(5);
        waiters.await(5, () -> true, LONG);
    }

    @Test
    void whoWaitsInVainGoesAwayAfterTheTimeout() throws Exception {
        waiters.await(5, () -> false, Duration.ofMillis(5));
        waiters.wakeAll();
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> waiting = threads.submit(() -> {
                Thread.currentThread().interrupt();
                waiters.await(5, () -> false, LONG);
                return null;
            });
            assertThatThrownBy(waiting::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
        }
    }

    /// One step, which wakes once: whoever was not told that it is over is woken by it.
    @RepeatedTest(200)
    @Timeout(60)
    void nobodyIsForgottenWhoComesAsTheRevisionDoes() throws Exception {
        var revision = new AtomicLong();
        var begins = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var count = 0; count < 20; count++) {
                threads.submit(() -> {
                    begins.await();
                    waiters.await(1, () -> revision.get() >= 1, LONG);
                    return null;
                });
            }
            begins.countDown();
            revision.set(1);
            waiters.wake(1);
        }
    }
}
