package io.tarpon.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.shard.assembly.AbandonedException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void theLimitIsTheNumberOfCalls() {
        assertThatThrownBy(() -> attempts(Duration.ofMillis(1), false).run("step", () -> failing(100)))
                .isInstanceOfSatisfying(
                        DeadShardException.class, e -> assertThat(e.reason()).isEqualTo(DeadReason.GAVE_UP))
                .hasMessageContaining("step did not succeed in 5 attempts: try 5");
        assertThat(calls).hasValue(5);
    }

    @Test
    void theLastAttemptCounts() throws DeadShardException {
        assertThat(attempts(Duration.ofMillis(1), false).run("step", () -> failing(4)))
                .isEqualTo("try 5");
    }

    @Test
    void aRefusalIsNotTriedAgain() {
        assertThatThrownBy(() -> attempts(Duration.ofMillis(1), false).run("step", () -> {
                    calls.incrementAndGet();
                    throw new TarponException(ProblemType.UNAUTHORIZED, "no");
                }))
                .isInstanceOf(TarponException.class);
        assertThat(calls).hasValue(1);
    }

    @Test
    void pausesDoubleUpToTheLongest() throws DeadShardException {
        long start = System.nanoTime();
        attempts(Duration.ofMillis(40), false).run("step", () -> failing(4));
        // 40, 80, 100 and 100 ms, each cut by half at most.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(160));
    }

    @Test
    void aStopCutsThePauseShort() {
        assertThatThrownBy(() -> attempts(Duration.ofHours(1), true).run("step", () -> failing(100)))
                .isInstanceOf(AbandonedException.class);
        assertThat(calls).hasValue(1);
    }

    private Attempts attempts(Duration first, boolean stopping) {
        return new Attempts(5, first, Duration.ofMillis(100), new Random(5), () -> stopping);
    }

    private String failing(int times) throws IOException {
        int call = calls.incrementAndGet();
        if (call <= times) {
            throw new IOException("try " + call);
        }
        return "try " + call;
    }
}
