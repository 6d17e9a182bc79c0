package io.tarpon.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/// One figure beside its reference. What was not measured, or has no reference, is null.
///
/// @param tarpon in `unit`; so is `reference`
/// @param referenceName what was measured as reference, or how to get it where it is not installed
/// @param ratio `tarpon / reference`
/// @param cpuRatio CPU time of the server processes for one unit of work, Tarpon's by the reference's
/// @param goal as [Goal#text]; null where none is set
/// @param met whether `goal` holds; null where it cannot be told
public record BenchRow(
        String name,
        String unit,
        @Nullable Double tarpon,
        @Nullable Double reference,
        @Nullable String referenceName,
        @Nullable Double ratio,
        @Nullable Double cpuRatio,
        @Nullable String goal,
        @Nullable Boolean met) {
    private static final MathContext DIGITS = new MathContext(4);

    public static BenchRow of(
            String name,
            String unit,
            double tarpon,
            @Nullable Double reference,
            @Nullable String referenceName,
            @Nullable Double cpuRatio,
            @Nullable Goal goal) {
        var ratio = reference == null || reference == 0 ? null : tarpon / reference;
        return new BenchRow(
                name,
                unit,
                rounded(tarpon),
                rounded(reference),
                referenceName,
                rounded(ratio),
                rounded(cpuRatio),
                goal == null ? null : goal.text(),
                goal == null ? null : goal.met(tarpon, ratio, cpuRatio));
    }

    /// To four digits: more would claim what a benchmark cannot know.
    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null || !Double.isFinite(value)
                ? null
                : new BigDecimal(value).round(DIGITS).doubleValue();
    }
}
