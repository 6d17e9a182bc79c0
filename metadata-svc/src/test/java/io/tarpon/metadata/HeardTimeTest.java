package io.tarpon.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeardTimeTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private long now = Long.MAX_VALUE - 1_000;
    private final HeardTime time = new HeardTime(() -> now, INTERVAL);

    @Test
    void timeGoesOnFromEchoToEcho() {
        assertThat(time.getAsLong()).isZero();
        pass(400);
        assertThat(time.getAsLong()).as("nothing was heard yet").isZero();
        assertThat(time.isListening()).isFalse();
        assertThat(time.heard()).as("others may have gone unheard").isTrue();
        assertThat(time.isListening()).isTrue();
        assertThat(time.getAsLong()).isEqualTo(millis(400));
        pass(900);
        assertThat(time.heard()).isFalse();
        assertThat(time.getAsLong()).isEqualTo(millis(1_300));
    }

    @Test
    void aSilenceOfAnyLengthCountsForTwoIntervals() {
        time.heard();
        pass(3_600_000);
        assertThat(time.isListening()).isFalse();
        assertThat(time.heard()).as("others may have gone unheard").isTrue();
        assertThat(time.isListening()).isTrue();
        assertThat(time.getAsLong()).isEqualTo(millis(1_000));
    }

    private void pass(long millis) {
        now += millis(millis);
    }

    private static long millis(long millis) {
        return millis * 1_000_000;
    }
}
