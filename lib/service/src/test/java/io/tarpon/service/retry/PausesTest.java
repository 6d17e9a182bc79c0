package io.tarpon.service.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PausesTest {
    private static final RandomGenerator UNCUT = () -> 0;
    private static final Pauses PAUSES = new Pauses(Duration.ofMillis(250), Duration.ofSeconds(10));

    @Test
    void theyDoubleUpToTheLongest() {
        assertThat(PAUSES.after(1, UNCUT)).isEqualTo(Duration.ofMillis(250));
        assertThat(PAUSES.after(2, UNCUT)).isEqualTo(Duration.ofMillis(500));
        assertThat(PAUSES.after(6, UNCUT)).isEqualTo(Duration.ofSeconds(8));
        assertThat(PAUSES.after(7, UNCUT)).isEqualTo(Duration.ofSeconds(10));
        assertThat(PAUSES.after(Integer.MAX_VALUE, UNCUT)).isEqualTo(Duration.ofSeconds(10));
        assertThat(new Pauses(Pauses.MOST, Pauses.MOST).after(Integer.MAX_VALUE, UNCUT))
                .isEqualTo(Pauses.MOST);
    }

    @Test
    void chanceCutsThemByHalfAtMost() {
        var seed = 7L;
        var random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            assertThat(PAUSES.after(9, random))
                    .as("seed %d, draw %d", seed, i)
                    .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        }
    }

    @Test
    void theyHaveBounds() {
        assertThatThrownBy(() -> new Pauses(Duration.ZERO, Duration.ofSeconds(1)))
                .hasMessageContaining("first pause is 1 to 300000 ms, not 0");
        assertThatThrownBy(() -> new Pauses(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("longest pause is 2000 to 300000 ms, not 1000");
        assertThatThrownBy(() -> new Pauses(Duration.ofSeconds(1), Duration.ofMinutes(6)))
                .hasMessageContaining("longest pause");
    }
}
