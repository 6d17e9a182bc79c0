package io.tarpon.gateway.order;

import java.util.Locale;
import java.util.function.LongUnaryOperator;

/// Prints what an index of order `p1` costs, and what the orders and sums of a large epoch cost to make.
public final class OrderBench {
    private static final int DRAWS = 20_000_000;
    private static final int ROUNDS = 5;
    private static final EpochSeed SEED = new EpochSeed(1, 2, "0".repeat(64));

    private long sink;

    private OrderBench() {}

    public static void main(String[] args) {
        var bench = new OrderBench();
        for (var size : new long[] {
            80, 1_000_000, 1_000_000_000, 1_000_000_000_000L, (1 << 20) + 1, (1L << 30) + 1, Long.MAX_VALUE
        }) {
            bench.perIndex("global, N = " + size, EpochOrder.global(SEED, size).reader(), size);
        }
        for (var groups : new long[] {10_000, 10_000_000}) {
            var began = System.nanoTime();
            var order = EpochOrder.blocks(SEED, SampleGroups.of(groups, groups * 80, group -> group * 80));
            print("block, order of " + groups + " blocks of 80", (System.nanoTime() - began) / 1e6, "ms");
            bench.perIndex("block, " + groups + " blocks of 80", order.reader(), order.samples());
            bench.perIndex("block, " + groups + " blocks, scattered", scattered(order), order.samples());
        }
        var began = System.nanoTime();
        var reader = EpochOrder.global(SEED, 100_000_000).reader();
        var sums = SparseSums.of(100_000_000, i -> 512 + (reader.applyAsLong(i) & 0xFFFF));
        print("sums of 100,000,000 computed lengths", (System.nanoTime() - began) / 1e6, "ms");
        print("checksum", (double) (sums.total() + (bench.sink & 1)), "");
    }

    /// Positions far from each other, so that each is sought.
    private static LongUnaryOperator scattered(EpochOrder order) {
        var reader = order.reader();
        var other = EpochOrder.global(new EpochSeed(9, 9, "1".repeat(64)), order.samples())
                .reader();
        return position -> reader.applyAsLong(other.applyAsLong(position));
    }

    private void perIndex(String what, LongUnaryOperator reader, long size) {
        var best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            var draws = what.endsWith("scattered") ? DRAWS / 50 : DRAWS;
            var began = System.nanoTime();
            for (long i = 0, position = 0; i < draws; i++) {
                sink += reader.applyAsLong(position);
                position = position + 1 == size ? 0 : position + 1;
            }
            best = Math.min(best, (double) (System.nanoTime() - began) / draws);
        }
        print(what, best, "ns an index");
    }

    private static void print(String what, double value, String unit) {
        System.out.printf(Locale.ROOT, "%-42s %10.1f %s%n", what, value, unit);
    }
}
