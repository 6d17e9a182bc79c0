package io.tarpon.wire.http;

import static org.assertj.core.api.Assertions.assertThat;

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
