package io.tarpon.wire.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ByteRangeTest {
    private static final long LENGTH = 1000;

    @Test
    void oneRangeIsAPart() {
        assertThat(of("bytes=0-0")).isEqualTo(new ByteRange.Part(0, 1));
        assertThat(of("bytes=0-511")).isEqualTo(new ByteRange.Part(0, 512));
        assertThat(of("bytes=999-999")).isEqualTo(new ByteRange.Part(999, 1000));
        assertThat(of("Bytes= 5-9 ")).isEqualTo(new ByteRange.Part(5, 10));
    }

    @Test
    void openLongAndSuffixRangesAreClamped() {
        assertThat(of("bytes=990-")).isEqualTo(new ByteRange.Part(990, 1000));
        assertThat(of("bytes=-10")).isEqualTo(new ByteRange.Part(990, 1000));
        assertThat(of("bytes=-5000")).isEqualTo(new ByteRange.Part(0, 1000));
        assertThat(of("bytes=0-18446744073709551614")).isEqualTo(new ByteRange.Part(0, 1000));
        assertThat(of("bytes=0-" + "9".repeat(40))).isEqualTo(new ByteRange.Part(0, 1000));
    }

    @Test
    void numbersAreReadDigitByDigitUpToTheLargest() {
        assertThat(ByteRange.of("bytes=0-9223372036854775806", Long.MAX_VALUE))
                .isEqualTo(new ByteRange.Part(0, Long.MAX_VALUE));
        assertThat(ByteRange.of("bytes=9223372036854775806-9223372036854775807", Long.MAX_VALUE))
                .isEqualTo(new ByteRange.Part(Long.MAX_VALUE - 1, Long.MAX_VALUE));
        assertThat(ByteRange.of("bytes=9223372036854775807-", Long.MAX_VALUE)).isEqualTo(new ByteRange.Unsatisfiable());
        assertThat(ByteRange.of("bytes=-9223372036854775808", LENGTH)).isEqualTo(new ByteRange.Part(0, LENGTH));
        assertThat(of("bytes=" + "0".repeat(32_000) + "5-" + "0".repeat(32_000) + "9"))
                .isEqualTo(new ByteRange.Part(5, 10));
        assertThat(of("bytes=-" + "0".repeat(32_000) + "7")).isEqualTo(new ByteRange.Part(993, LENGTH));
    }

    @Test
    void aRangeOfThirtyThousandDigitsCostsAboutWhatItsBytesCost() {
        // A thousand headers as long as the gateway takes them: one look at each digit is well below a second, where
        // arithmetic with all digits at once took ten milliseconds each.
        var header = "bytes=" + "9".repeat(15_000) + "-" + "9".repeat(15_000);
        assertTimeout(Duration.ofSeconds(5), () -> {
            for (int i = 0; i < 1_000; i++) {
                assertThat(of(header)).isEqualTo(new ByteRange.Unsatisfiable());
            }
        });
    }

    @Test
    void whatLiesOutsideIsUnsatisfiable() {
        for (var header : new String[] {"bytes=1000-", "bytes=5-2", "bytes=-0", "bytes=" + "9".repeat(40) + "-"}) {
            assertThat(of(header)).as(header).isEqualTo(new ByteRange.Unsatisfiable());
        }
        assertThat(ByteRange.of("bytes=0-0", 0)).isEqualTo(new ByteRange.Unsatisfiable());
    }

    @Test
    void severalRangesGarbageAndOtherUnitsGiveTheWhole() {
        for (var header : new String[] {
            "bytes=0-0,-1",
            "bytes=",
            "bytes=-",
            "items=0-1",
            "bytes",
            "bytes=a-b",
            "bytes=0x1-2",
            "bytes=+1-2",
            "bytes=1 - 2"
        }) {
            assertThat(of(header)).as(header).isEqualTo(new ByteRange.Whole());
        }
        assertThat(ByteRange.of(null, LENGTH)).isEqualTo(new ByteRange.Whole());
    }

    private static ByteRange of(String header) {
        return ByteRange.of(header, LENGTH);
    }
}
