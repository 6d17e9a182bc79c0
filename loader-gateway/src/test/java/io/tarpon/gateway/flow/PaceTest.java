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
        pace.look(0, 0, true);
        pace.look(10 * SECOND, 0, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(10));
        pace.look(11 * SECOND, 1, true);
        assertThat(pace.silence()).isZero();
        pace.look(31 * SECOND, 1, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void whileNothingWaitsTheClientIsNotSilent() {
        pace.look(0, 0, true);
        pace.look(10 * SECOND, 0, false);
        pace.look(1_000 * SECOND, 0, false);
        assertThat(pace.silence()).isZero();
        assertThat(pace.isBelowRate()).isFalse();
        pace.look(1_001 * SECOND, 0, true);
        pace.look(1_003 * SECOND, 0, true);
        assertThat(pace.silence()).isEqualTo(Duration.ofSeconds(2));
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
        pace.look(0, 0, true);
        pace.look(SECOND, 1L << 40, true);
        pace.look(2 * SECOND, 1L << 40, true);
        assertThat(pace.isBelowRate()).isFalse();
        pace.look(110 * SECOND, 1L << 40, true);
        assertThat(pace.isBelowRate()).isTrue();
    }
}
