package io.tarpon.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Times of the same requests in several rounds; each figure is the median of the rounds' own.
record TimesSeries(List<Times> rounds) {
    TimesSeries {
        rounds = List.copyOf(rounds);
    }

    private double millis(double share) {
        return Series.median(
                rounds.stream().mapToDouble(times -> times.millis(share)).toArray());
    }

    /// Two rows: half of the requests, and 99 of 100, had their answer within so long.
    ///
    /// @param of what, after the unit; may be empty
    /// @param goal of the first row
    List<BenchRow> rows(String name, String of, @Nullable Goal goal) {
        return List.of(
                BenchRow.of(name, "ms p50" + of, millis(0.5), null, null, null, goal),
                BenchRow.of(name + "/p99", "ms p99" + of, millis(0.99), null, null, null, null));
    }
}
