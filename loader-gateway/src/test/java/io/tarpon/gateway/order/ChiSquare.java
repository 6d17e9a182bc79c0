package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;

/// Counts that should be equal, and how far they are from it.
final class ChiSquare {
    /// A fair source passes this once in 3.5 million times, and the seeds are fixed: a test passes always or never.
    static final double LIMIT = 5;

    private final long[] counts;
    private long sum;

    ChiSquare(int cells) {
        counts = new long[cells];
    }

    void add(int cell) {
        counts[cell]++;
        sum++;
    }

    /// The statistic as a standard normal value (Wilson and Hilferty 1931): 0 as expected by chance, 5 is proof of a
    /// slant. Well below 0 is more even than chance, as drawing without putting back is.
    double deviation() {
        var expected = (double) sum / counts.length;
        assertThat(expected).as("too few draws for this test").isGreaterThan(20);
        double statistic = 0;
        for (var count : counts) {
            statistic += (count - expected) * (count - expected) / expected;
        }
        var freedom = counts.length - 1;
        var spread = 2.0 / (9.0 * freedom);
        return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
    }

    void requireFair(String what) {
        assertThat(deviation()).as(what).isLessThan(LIMIT);
    }
}
