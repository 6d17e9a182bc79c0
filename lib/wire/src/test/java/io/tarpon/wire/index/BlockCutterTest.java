package io.tarpon.wire.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockCutterTest {
    private static final int TARGET = 4096;

    @Test
    void wholeSamplesFillABlockUpToTheTarget() {
        assertThat(cuts(2048, 2048, 512)).containsExactly(4096L);
        assertThat(cuts(2048, 2560, 1536)).containsExactly(2048L);
        assertThat(cuts(4096, 4096)).containsExactly(4096L);
    }

    @Test
    void sampleOverTheTargetBeginsItsOwnBlockAndItsLastPieceStaysOpen() {
        assertThat(cuts(512, 9216, 3072, 512)).containsExactly(512L, 4608L, 8704L, 12800L);
        assertThat(cuts(8192, 512)).containsExactly(4096L, 8192L);
        assertThat(cuts(8192)).containsExactly(4096L);
    }

    @Test
    void noBlockIsOverTheTargetAndEveryCutIsABorderOrInsideALargeSample() {
        long seed = 31;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            BlockCutter cutter = new BlockCutter(TARGET);
            long position = 0;
            long open = 0;
            for (int i = 0; i < 50; i++) {
                long length = 512L * (1 + random.nextInt(random.nextInt(5) == 0 ? 60 : 6));
                for (long cut : cutter.add(length)) {
                    assertThat(cut - open).isPositive().isLessThanOrEqualTo(TARGET);
                    assertThat(cut).isBetween(position, position + length - 1);
                    if (cut > position) {
                        assertThat(length).isGreaterThan(TARGET);
                        assertThat((cut - position) % TARGET).isZero();
                    }
                    open = cut;
                }
                position += length;
                assertThat(position - open).isPositive().isLessThanOrEqualTo(TARGET);
            }
        }
    }

    @Test
    void lengthThatNoSampleHasIsRefused() {
        BlockCutter cutter = new BlockCutter();
        assertThatThrownBy(() -> cutter.add(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cutter.add(513)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BlockCutter((8 << 20) + 512)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Long> cuts(long... lengths) {
        BlockCutter cutter = new BlockCutter(TARGET);
        List<Long> cuts = new ArrayList<>();
        for (long length : lengths) {
            for (long cut : cutter.add(length)) {
                cuts.add(cut);
            }
        }
        return cuts;
    }
}
