package io.tarpon.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of one benchmark from the runs of both sides: the rate, and below it what it costs.
///
/// @param name of the benchmark; the rows of costs are `<name>/server-cpu` and `<name>/all-cpu`
/// @param unit of the work as people read it, such as `GiB`
/// @param perUnit how much work, as the samples count it, one such unit is
/// @param cpuUnit of the cost of one `costOf`, such as `CPU s/GiB`
/// @param cpuScale CPU seconds for one sample's work times this is the cost in `cpuUnit`
record Row(String name, String unit, double perUnit, String cpuUnit, double cpuScale) {
    private static final double GIB = 1 << 30;
    private static final double MICROS = 1e6;

    /// Of loads whose work is bytes.
    static Row ofBytes(String name) {
        return new Row(name, "GiB/s", GIB, "CPU s/GiB", GIB);
    }

    /// Of loads whose work is requests.
    static Row ofRequests(String name, String unit) {
        return new Row(name, unit, 1, "CPU µs each", MICROS);
    }

    BenchRow rate(Duel.Outcome outcome, @Nullable String referenceName, @Nullable Goal goal) {
        var reference =
                outcome.reference().map(series -> series.rate() / perUnit).orElse(null);
        return BenchRow.of(
                name, unit, outcome.tarpon().rate() / perUnit, reference, referenceName, outcome.cpuRatio(), goal);
    }

    List<BenchRow> rateAndCosts(Duel.Outcome outcome, @Nullable String referenceName, @Nullable Goal goal) {
        var rows = new ArrayList<BenchRow>();
        rows.add(rate(outcome, referenceName, goal));
        rows.add(cost("/server-cpu", outcome, referenceName, Series::serverCpu));
        rows.add(cost("/all-cpu", outcome, referenceName, Series::allCpu));
        return rows;
    }

    private BenchRow cost(
            String what,
            Duel.Outcome outcome,
            @Nullable String referenceName,
            java.util.function.ToDoubleFunction<Series> cost) {
        var reference = outcome.reference()
                .map(series -> cost.applyAsDouble(series) * cpuScale)
                .orElse(null);
        return BenchRow.of(
                name + what,
                cpuUnit,
                cost.applyAsDouble(outcome.tarpon()) * cpuScale,
                reference,
                referenceName,
                null,
                null);
    }
}
