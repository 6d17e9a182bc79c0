package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long RATE = 10_000;

    private final Pace pace = new Pace(RATE);

    @Test
    void silenceIsTheTimeInWhichNothingOfWhatWaitsWasTaken() {
        look(0, 10, 0, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(10));
        look(11, 11, 1, true);
        assertThat(pace.silence()).isZero();
        look(12, 31, 1, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void whileNothingWaitsTheClientIsNotSilent() {
        look(0, 9, 0, true);
        look(10, 1_000, 0, false);
        assertThat(pace.silence()).isZero();
        assertThat(pace.isBelowRate()).isFalse();
        look(1_001, 1_003, 0, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void timeInWhichNobodyLookedIsNotHeldAgainstTheClient() {
        look(0, 10, 0, true);
        look(1_000, 1_000, 0, true);
        assertThat(pace.silence()).isZero();
        assertThat(pace.isBelowRate()).isFalse();
        look(1_001, 1_020, 0, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void aClientAtTheRateIsNeverBelowIt() {
        // The kernel takes bytes in large steps.
        for (int second = 0; second < 10_000; second++) {
            pace.look(second * SECOND, 50 * RATE * (second / 50), true);
            assertThat(pace.isBelowRate()).as("second %d", second).isFalse();
        }
    }

    @Test
    void aClientBelowTheRateIsFoundAfterTheFirstMebibyte() {
        var second = 0;
        for (; !pace.isBelowRate(); second++) {
            pace.look(second * SECOND, RATE * second / 2, true);
        }
        assertThat(second).isBetween(200, 220);
    }

    @Test
    void aFastStartBuysAtMostAMebibyte() {
        look(0, 0, 0, true);
        look(1, 2, 1L << 40, true);
        assertThat(pace.isBelowRate()).isFalse();
        look(3, 110, 1L << 40, true);
        assertThat(pace.isBelowRate()).isTrue();
    }

    /// A look each second.
    private void look(int fromSecond, int toSecond, long accepted, boolean waits) {
        for (long second = fromSecond; second <= toSecond; second++) {
            pace.look(second * SECOND, accepted, waits);
        }
    }
}
