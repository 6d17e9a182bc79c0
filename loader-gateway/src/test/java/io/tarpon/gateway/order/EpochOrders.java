package io.tarpon.gateway.order;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;

/// Orders and groups for tests.
final class EpochOrders {
    static final String DIGEST = "5d25fc58d21680e3604e309cb9dd1c32dffaf9c8aa5230b23678a7224544ff7f";

    private EpochOrders() {}

    static EpochSeed seed(Random random) {
        return new EpochSeed(random.nextLong() >>> 1, random.nextInt(100), DIGEST);
    }

    /// The ordinals of all positions.
    static long[] all(EpochOrder order) {
        var reader = order.reader();
        var ordinals = new long[(int) order.samples()];
        Arrays.setAll(ordinals, reader::applyAsLong);
        return ordinals;
    }

    /// First ordinals of a random cut of samples into groups, none empty.
    static long[] firsts(Random random, int samples) {
        if (samples == 0) {
            return new long[0];
        }
        var every = 1 + random.nextInt(20);
        return LongStream.range(0, samples)
                .filter(ordinal -> ordinal == 0 || random.nextInt(every) == 0)
                .toArray();
    }
}
