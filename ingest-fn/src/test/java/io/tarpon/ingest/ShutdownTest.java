package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.AbandonedException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShutdownTest {
    private final Shutdown shutdown = new Shutdown();

    @Test
    void workThatWaitsEndsAtOnceAndItsThreadGoesOn() throws Exception {
        var inside = new CountDownLatch(1);
        try (var pool = Executors.newSingleThreadExecutor()) {
            var work = pool.submit(() -> {
                shutdown.run(() -> {
                    inside.countDown();
                    shutdown.pause(Duration.ofHours(1));
                });
                return true;
            });
            inside.await();
            shutdown.begin();
            assertThatThrownBy(() -> work.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(AbandonedException.class);
            assertThat(pool.submit(Thread::interrupted).get()).isFalse();
        }
    }

    @Test
    void noWorkIsBegunAfterwards() {
        shutdown.begin();
        assertThatThrownBy(() -> shutdown.run(() -> {
                    throw new AssertionError("begun");
                }))
                .isInstanceOf(AbandonedException.class);
        assertThatThrownBy(() -> shutdown.pause(Duration.ZERO)).isInstanceOf(AbandonedException.class);
    }

    @Test
    void whatFailsThenSaysNothingAboutTheWork() {
        var patience = ShortPauses.until(shutdown::isBegun);
        assertThatThrownBy(() -> patience.keepTrying("read", () -> {
                    shutdown.begin();
                    throw new SourceUnreadableException("photos", new IOException("interrupted"));
                }))
                .isInstanceOf(AbandonedException.class);
        assertThatThrownBy(() -> patience.keepTrying("fail version", () -> {
                    throw new AssertionError("tried");
                }))
                .isInstanceOf(AbandonedException.class);
    }

    @Test
    void workThatIsDoneIsDone() throws Exception {
        shutdown.run(() -> {});
        assertThat(Thread.interrupted()).isFalse();
    }
}
