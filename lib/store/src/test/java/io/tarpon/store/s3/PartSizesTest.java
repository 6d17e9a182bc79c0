package io.tarpon.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartSizesTest {
    @Test
    void theDefaultsHoldThreeTebibytes() {
        var sizes = new PartSizes(8 << 20, 1000);
        long bytes = IntStream.rangeClosed(1, PartSizes.MAX_PARTS)
                .mapToLong(sizes::bytesOfPart)
                .sum();
        assertThat(bytes).isGreaterThan(3L << 40);
    }

    @Test
    void anOrdinaryShardIsWrittenInFirstParts() {
        var sizes = new PartSizes(8 << 20, 1000);
        assertThat(IntStream.rangeClosed(1, 1000).map(sizes::bytesOfPart)).containsOnly(8 << 20);
        assertThat(sizes.bytesOfPart(1001)).isEqualTo(16 << 20);
    }

    @Test
    void noPartIsLargerThanAnArray() {
        assertThat(new PartSizes(1 << 20, 1).bytesOfPart(PartSizes.MAX_PARTS)).isEqualTo(PartSizes.MAX_BYTES);
    }
}
