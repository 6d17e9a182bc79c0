package io.tarpon.service.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Pauses SHORT = new Pauses(Duration.ofMillis(1), Duration.ofMillis(2));
    private static final Pauses ENDLESS = new Pauses(Pauses.MOST, Pauses.MOST);

    private final AtomicInteger calls = new AtomicInteger();
    private final Waits waits = new Waits();

    @Test
    void whatMayPassIsTriedUntilItPasses() throws Exception {
        assertThat(patience(SHORT, () -> false).keepTrying("step", () -> failing(200)))
                .isEqualTo("call 201");
    }

    @Test
    void whatIsFinalIsThrownAtOnce() {
        assertThatThrownBy(() -> patience(SHORT, () -> false).keepTrying("step", () -> {
                    calls.incrementAndGet();
                    throw new TarponException(ProblemType.CONFLICT, "no");
                }))
                .isInstanceOf(TarponException.class);
        assertThat(calls).hasValue(1);
        assertThat(waits.now()).isEmpty();
    }

    @Test
    void aFaultOfTheProgramIsNotTriedAgain() {
        assertThatThrownBy(() -> patience(SHORT, () -> false).keepTrying("step", () -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(calls).hasValue(1);
    }

    @Test
    void whatIsWaitedForShowsUntilItHasPassed() throws Exception {
        var seen = patience(SHORT, () -> false).keepTrying("seal it", () -> {
            if (calls.incrementAndGet() <= 3) {
                throw new IOException("away " + calls);
            }
            return waits.now();
        });

        assertThat(seen).singleElement().satisfies(wait -> {
            assertThat(wait.what()).isEqualTo("seal it");
            assertThat(wait.failures()).isEqualTo(3);
            assertThat(wait.reason()).isEqualTo("away 3");
        });
        assertThat(waits.now()).isEmpty();
    }

    @Test
    void aPauseIsCutShortOnceTheWorkIsNotWanted() throws Exception {
        var abandoned = new AtomicBoolean();
        var work = CompletableFuture.supplyAsync(() -> caught(ENDLESS, abandoned::get));
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (waits.now().isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(waits.now()).hasSize(1);

        abandoned.set(true);

        assertThat(work.get(30, TimeUnit.SECONDS)).isInstanceOf(AbandonedException.class);
        assertThat(calls).hasValue(1);
        assertThat(waits.now()).isEmpty();
    }

    @Test
    void anInterruptAbandonsAndStays() {
        Thread.currentThread().interrupt();

        assertThat(caught(ENDLESS, () -> false)).isInstanceOf(AbandonedException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(calls).hasValue(0);
    }

    @Test
    void aFailureOfAbandonedWorkIsNotJudged() {
        var abandoned = new AtomicBoolean();

        assertThatThrownBy(() -> patience(SHORT, () -> false)
                        .until(abandoned::get)
                        .keepTrying("step", () -> {
                            abandoned.set(true);
                            throw new TarponException(ProblemType.CONFLICT, "of what was closed meanwhile");
                        }))
                .isInstanceOf(AbandonedException.class);
    }

    private Exception caught(Pauses pauses, BooleanSupplier abandoned) {
        try {
            var answer = patience(pauses, abandoned).keepTrying("step", () -> failing(100));
            throw new AssertionError("not abandoned, but answered " + answer);
        } catch (IOException | RuntimeException e) {
            return e;
        }
    }

    private Patience patience(Pauses pauses, BooleanSupplier abandoned) {
        return new Patience(pauses, Failures::mayPass, waits, abandoned, new Random(5));
    }

    private String failing(int times) throws IOException {
        int call = calls.incrementAndGet();
        if (call <= times) {
            throw new IOException("call " + call);
        }
        return "call " + call;
    }
}
