package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/// That order `p1` looks like chance. Seeds are fixed: these tests cannot pass by luck today and fail tomorrow.
class MixingTest {
    private static final String DIGEST = "5d25fc58d21680e3604e309cb9dd1c32dffaf9c8aa5230b23678a7224544ff7f";
    private static final long[] SIZES = {1_000, 4_096, 65_537, 1_000_003, 1 << 20, 1_000_000_000, 1_000_000_000_000L};
    private static final int DRAWS = 300_000;
    private static final int ORDERS = 60_000;

    @Test
    void allOrdersOfAFewSamplesComeEquallyOftenOverSeeds() {
        for (int size = 2; size <= 6; size++) {
            var counts = new ChiSquare(factorial(size));
            for (int draw = 0; draw < ORDERS; draw++) {
                counts.add(rankOfOrder(global(draw, 0, size), size));
            }
            counts.requireFair("orders of " + size + " over seeds");
        }
    }

    @Test
    void allOrdersOfAFewSamplesComeEquallyOftenOverGroups() {
        var key = new EpochSeed(1, 2, DIGEST).key(Permuted.IN_BLOCK);
        for (int size = 2; size <= 6; size++) {
            var counts = new ChiSquare(factorial(size));
            for (int group = 0; group < ORDERS; group++) {
                counts.add(rankOfOrder(key.permutation(group, size), size));
            }
            counts.requireFair("orders of " + size + " over groups");
        }
    }

    @Test
    void twoPositionsOfAGroupGoAnywhere() {
        var key = new EpochSeed(3, 4, DIGEST).key(Permuted.IN_SHARD);
        for (int size : new int[] {16, 33, 64, 80, 256, 257}) {
            for (int other : new int[] {1, size / 2, size - 1}) {
                var one = new ChiSquare(size);
                var distance = new ChiSquare(size - 1);
                for (int group = 0; group < ORDERS; group++) {
                    var permutation = key.permutation(group, size);
                    var ordinal = permutation.at(0);
                    one.add((int) ordinal);
                    distance.add((int) Math.floorMod(permutation.at(other) - ordinal, (long) size) - 1);
                }
                one.requireFair("position 0 of " + size);
                distance.requireFair("distance of positions 0 and " + other + " of " + size);
            }
        }
    }

    @Test
    void everyPartOfThePositionsGoesToEveryPartOfTheOrdinals() {
        for (var size : SIZES) {
            for (int seed = 0; seed < 3; seed++) {
                var permutation = global(seed, 9, size);
                var draws = (int) Math.min(size, DRAWS);
                var bins = bins(size);
                var counts = new ChiSquare(bins * bins);
                for (int i = 0; i < draws; i++) {
                    var position = (long) ((double) i / draws * size);
                    counts.add(cell(position, size, bins) * bins + cell(permutation.at(position), size, bins));
                }
                counts.requireFair("positions of " + size + ", seed " + seed);
            }
        }
    }

    @Test
    void neighboursGoAnywhere() {
        for (var size : SIZES) {
            for (int seed = 0; seed < 3; seed++) {
                var permutation = global(seed, 1, size);
                assertThat(worstOfNeighbours(permutation::at, size))
                        .as("neighbours of %d, seed %d", size, seed)
                        .isLessThan(ChiSquare.LIMIT);
            }
        }
    }

    @Test
    void neighboursOfAnAffineMapWouldBeNoticed() {
        var size = 1_000_003L;
        assertThat(worstOfNeighbours(position -> (position * 618_034 + 7) % size, size))
                .isGreaterThan(100);
    }

    @Test
    void oneEpochSaysNothingOfTheNext() {
        for (var size : SIZES) {
            var today = global(5, 0, size);
            var tomorrow = global(5, 1, size);
            var bins = bins(size);
            var counts = new ChiSquare(bins * bins);
            for (int i = 0; i < Math.min(size, DRAWS); i++) {
                counts.add(cell(today.at(i), size, bins) * bins + cell(tomorrow.at(i), size, bins));
            }
            counts.requireFair("two epochs of " + size);
        }
    }

    @Test
    void oneGroupSaysNothingOfTheNext() {
        var key = new EpochSeed(6, 0, DIGEST).key(Permuted.IN_BLOCK);
        var size = 80;
        var counts = new ChiSquare(16 * 16);
        for (int group = 0; group < 5_000; group++) {
            var here = key.permutation(group, size);
            var next = key.permutation(group + 1, size);
            for (int position = 0; position < size; position++) {
                counts.add(cell(here.at(position), size, 16) * 16 + cell(next.at(position), size, 16));
            }
        }
        counts.requireFair("two groups of " + size);
    }

    private static double worstOfNeighbours(LongUnaryOperator order, long size) {
        var bins = bins(size);
        var pairs = new ChiSquare(bins * bins);
        var distances = new ChiSquare(bins * 4);
        var before = order.applyAsLong(0);
        for (int position = 1; position < Math.min(size, DRAWS); position++) {
            var ordinal = order.applyAsLong(position);
            pairs.add(cell(before, size, bins) * bins + cell(ordinal, size, bins));
            distances.add(cell(Math.floorMod(ordinal - before, size), size, bins * 4));
            before = ordinal;
        }
        return Math.max(pairs.deviation(), distances.deviation());
    }

    /// Few enough that every pair of them is expected more than 20 times.
    private static int bins(long size) {
        return size < 10_000 ? 4 : 16;
    }

    private static int cell(long value, long size, int cells) {
        return (int) ((double) value / size * cells);
    }

    private static Permutation global(long seed, long epoch, long size) {
        return new EpochSeed(seed, epoch, DIGEST).key(Permuted.GLOBAL).permutation(0, size);
    }

    private static int rankOfOrder(Permutation permutation, int size) {
        int rank = 0;
        for (int i = 0; i < size; i++) {
            int smaller = 0;
            for (int j = i + 1; j < size; j++) {
                smaller += permutation.at(j) < permutation.at(i) ? 1 : 0;
            }
            rank = rank * (size - i) + smaller;
        }
        return rank;
    }

    private static int factorial(int size) {
        return size < 2 ? 1 : size * factorial(size - 1);
    }
}
