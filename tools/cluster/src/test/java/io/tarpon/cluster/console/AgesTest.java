package io.tarpon.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "59, 59 s",
        "60, 1 min",
        "3599, 59 min",
        "3600, 1 h",
        "86399, 23 h",
        "86400, 1 d",
        "8640000, 100 d",
        "-5, 0 s"
    })
    void anAgeIsSaidInItsLargestUnit(long seconds, String said) {
        var then = Instant.ofEpochSecond(1_700_000_000);
        assertThat(Ages.between(then, then.plusSeconds(seconds))).isEqualTo(said);
    }
}
