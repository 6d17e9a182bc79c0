package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EpochOrderTest {
    private static final int ROUNDS = 300;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void everyShuffleHasEverySampleOnce() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = round < 4 ? round : random.nextInt(3_000);
            for (var order : orders(samples, EpochOrders.firsts(random, samples))) {
                assertThat(order.samples()).isEqualTo(samples);
                assertThat(LongStream.of(EpochOrders.all(order)).sorted().toArray())
                        .as("seed %d, round %d, %s", seed, round, order)
                        .isEqualTo(LongStream.range(0, samples).toArray());
            }
        }
    }

    @Test
    void anyPositionIsTheSameByAnyReader() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = 1 + random.nextInt(5_000);
            for (var order : orders(samples, EpochOrders.firsts(random, samples))) {
                var ascending = EpochOrders.all(order);
                var reader = order.reader();
                for (int i = 0, position = 0; i < 200; i++) {
                    // Small steps forward, as ranks take them, and jumps.
                    position = random.nextInt(4) == 0
                            ? random.nextInt(samples)
                            : Math.min(samples - 1, position + random.nextInt(300));
                    assertThat(reader.applyAsLong(position))
                            .as("seed %d, round %d, %s at %d", seed, round, order, position)
                            .isEqualTo(ascending[position]);
                }
            }
        }
    }

    @Test
    void groupsStayTogether() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = 1 + random.nextInt(2_000);
            var firsts = EpochOrders.firsts(random, samples);
            for (var order : orders(samples, firsts).subList(0, 2)) {
                var seen = new HashSet<Integer>();
                int current = -1;
                for (var ordinal : EpochOrders.all(order)) {
                    var found = Arrays.binarySearch(firsts, ordinal);
                    var group = found < 0 ? -found - 2 : found;
                    if (group != current) {
                        assertThat(seen.add(group))
                                .as("seed %d, group %d", seed, group)
                                .isTrue();
                        current = group;
                    }
                }
                assertThat(seen).hasSize(firsts.length);
            }
        }
    }

    @Test
    void shuffleSeedAndEpochMakeTheOrder() {
        var firsts = LongStream.range(0, 100).map(group -> group * 10).toArray();
        var groups = SampleGroups.of(firsts, 1_000);
        var one = new EpochSeed(1, 1, EpochOrders.DIGEST);
        var all = new HashSet<List<Long>>();
        for (var other : List.of(
                one,
                new EpochSeed(2, 1, EpochOrders.DIGEST),
                new EpochSeed(1, 2, EpochOrders.DIGEST),
                new EpochSeed(1, 1, EpochOrders.DIGEST.replace('5', '6')))) {
            all.add(boxed(EpochOrder.global(other, 1_000)));
            all.add(boxed(EpochOrder.shards(other, groups)));
            all.add(boxed(EpochOrder.blocks(other, groups)));
        }
        assertThat(all).hasSize(12);
    }

    @Test
    void positionsOutsideAreRefused() {
        for (var samples : new int[] {0, 1, 100}) {
            for (var order : orders(samples, EpochOrders.firsts(random, samples))) {
                var reader = order.reader();
                assertThatThrownBy(() -> reader.applyAsLong(samples)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> reader.applyAsLong(-1)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    void hugeGroupsAreOrdered() {
        var groups = SampleGroups.of(new long[] {0, 1, Long.MAX_VALUE - 5}, Long.MAX_VALUE);
        var reader = EpochOrder.shards(EpochOrders.seed(random), groups).reader();
        assertThat(reader.applyAsLong(Long.MAX_VALUE - 1)).as("seed %d", seed).isNotNegative();
        assertThat(reader.applyAsLong(0)).as("seed %d", seed).isNotNegative();
    }

    @Test
    void groupsThatAreNoneAreRefused() {
        var some = EpochOrders.seed(random);
        for (var firsts : List.of(new long[] {1, 2}, new long[] {0, 5, 5}, new long[] {0, 7, 3}, new long[] {0, 10})) {
            assertThatThrownBy(() -> EpochOrder.blocks(some, SampleGroups.of(firsts, 10)))
                    .as(Arrays.toString(firsts))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> SampleGroups.of(new long[0], 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SampleGroups.of(new long[] {0}, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    /// Grouped ones first.
    private List<EpochOrder> orders(int samples, long[] firsts) {
        var groups = SampleGroups.of(firsts, samples);
        var some = EpochOrders.seed(random);
        return List.of(
                EpochOrder.shards(some, groups),
                EpochOrder.blocks(some, groups),
                EpochOrder.global(some, samples),
                EpochOrder.plain(samples));
    }

    private static List<Long> boxed(EpochOrder order) {
        return LongStream.of(EpochOrders.all(order)).boxed().toList();
    }
}
