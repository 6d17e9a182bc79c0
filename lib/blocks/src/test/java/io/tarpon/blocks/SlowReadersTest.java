package io.tarpon.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlowReadersTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long START = Long.MAX_VALUE - 20 * SECOND;

    private final SlowReaders slow = new SlowReaders(Duration.ofSeconds(40), 1_000);
    private final SlowReaders.Watch watch = slow.watch(START, 5_000);

    @Test
    void whoTakesTooLittleForAnIntervalIsTooSlow() {
        assertThat(slow.lookEvery()).isEqualTo(Duration.ofSeconds(10));
        assertThat(look(10, 5_000)).isFalse();
        assertThat(look(20, 5_500)).isFalse();
        assertThat(look(30, 5_999)).isFalse();
        assertThat(look(40, 5_999)).isTrue();
    }

    @Test
    void whoTakesEnoughHasAnotherInterval() {
        look(10, 5_000);
        look(20, 5_000);
        assertThat(look(30, 6_000)).isFalse();
        assertThat(look(40, 6_000)).isFalse();
        assertThat(look(50, 6_000)).isFalse();
        assertThat(look(60, 6_000)).isFalse();
        assertThat(look(70, 6_000)).isTrue();
    }

    @Test
    void whoWaitedForUsHasAnotherInterval() {
        look(10, 5_000);
        look(20, 5_000);
        watch.waitsForUs();
        assertThat(look(30, 5_000)).isFalse();
        assertThat(look(40, 5_000)).isFalse();
        assertThat(look(60, 5_000)).isFalse();
        assertThat(look(70, 5_000)).isTrue();
    }

    @Test
    void timeInWhichNobodyLookedIsNotHeldAgainstTheReader() {
        look(10, 5_000);
        assertThat(look(310, 5_000)).isFalse();
        // The looks that were missed come at once.
        assertThat(look(310, 5_000)).isFalse();
        assertThat(look(320, 5_000)).isFalse();
        assertThat(look(340, 5_000)).isFalse();
        assertThat(look(350, 5_000)).isTrue();
    }

    private boolean look(int seconds, long taken) {
        return watch.isTooSlow(START + seconds * SECOND, taken);
    }
}
