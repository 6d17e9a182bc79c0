package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BesidePlansTest {
    private final BesidePlans beside = new BesidePlans(2);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @Test
    void soManyAreInWorkAtATimeAndTheNextOnceOneHasEnded() throws Exception {
        assertThat(beside.tryStart(this::waitForTheEnd)).isTrue();
        assertThat(beside.tryStart(this::waitForTheEnd)).isTrue();
        Deadline.until("two in work", () -> begun.get() == 2);
        assertThat(beside.tryStart(this::waitForTheEnd)).isFalse();

        end.countDown();
        Deadline.until("room for the next", () -> beside.tryStart(this::waitForTheEnd));
        Deadline.until("the next", () -> begun.get() == 3);
    }

    @Test
    void whatBreaksLeavesItsRoomToOthers() throws Exception {
        for (int i = 0; i < 10; i++) {
            Deadline.until(
                    "room",
                    () -> beside.tryStart(() -> {
                        Thread.currentThread().setUncaughtExceptionHandler((_, _) -> begun.incrementAndGet());
                        throw new IllegalStateException("never thought of");
                    }));
        }
        Deadline.until("all of them", () -> begun.get() == 10);
    }

    private void waitForTheEnd() {
        begun.incrementAndGet();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
