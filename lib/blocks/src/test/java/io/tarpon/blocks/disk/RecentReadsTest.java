package io.tarpon.blocks.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentReadsTest {
    private static final long START = Long.MAX_VALUE - 3 * RecentReads.PERIOD_NANOS / 2;

    private final RecentReads recent = new RecentReads(200, START);

    @Test
    void onlyWhatWasReadIsRecent() {
        recent.add(60, 70, START);
        assertThat(recent.has(60, 70, START)).isTrue();
        assertThat(recent.has(59, 60, START)).isFalse();
        assertThat(recent.has(70, 71, START)).isFalse();
        assertThat(recent.has(65, 65, START)).isTrue();
    }

    @Test
    void whatWasReadIsForgottenAfterTwoPeriodsAtMost() {
        recent.add(1, 1, START);
        assertThat(recent.has(1, 1, at(0.9))).isTrue();
        assertThat(recent.has(1, 1, at(1.9))).isTrue();
        assertThat(recent.has(1, 1, at(2))).isFalse();
    }

    @Test
    void aRangeOfBothPeriodsIsRecent() {
        recent.add(1, 1, at(0.5));
        recent.add(2, 2, at(1.5));
        assertThat(recent.has(1, 2, at(1.6))).isTrue();
        assertThat(recent.has(1, 2, at(2.1))).isFalse();
        assertThat(recent.has(2, 2, at(2.1))).isTrue();
    }

    @Test
    void nothingIsRecentAfterALongSilence() {
        recent.add(1, 1, at(0.5));
        recent.add(2, 2, at(1.5));
        assertThat(recent.has(1, 1, at(7))).isFalse();
        assertThat(recent.has(2, 2, at(7))).isFalse();
    }

    private static long at(double periods) {
        return START + (long) (periods * RecentReads.PERIOD_NANOS);
    }
}
