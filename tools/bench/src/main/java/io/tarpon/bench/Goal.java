package io.tarpon.bench;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// What a row should reach: one of its figures on one side of a limit.
public record Goal(Figure figure, boolean atMost, double limit) {
    /// A figure of a [BenchRow], under its name there.
    public enum Figure {
        TARPON("tarpon"),
        RATIO("ratio"),
        CPU_RATIO("cpuRatio");

        private final String text;

        Figure(String text) {
            this.text = text;
        }
    }

    public static Goal atMost(Figure figure, double limit) {
        return new Goal(figure, true, limit);
    }

    public static Goal atLeast(Figure figure, double limit) {
        return new Goal(figure, false, limit);
    }

    /// `cpuRatio <= 1.2`.
    public String text() {
        var number = BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
        return figure.text + (atMost ? " <= " : " >= ") + number;
    }

    /// Null where the figure was not measured.
    @Nullable
    Boolean met(double tarpon, @Nullable Double ratio, @Nullable Double cpuRatio) {
        Double value = switch (figure) {
            case TARPON -> Double.valueOf(tarpon);
            case RATIO -> ratio;
            case CPU_RATIO -> cpuRatio;
        };
        return value == null ? null : Boolean.valueOf(atMost ? value <= limit : value >= limit);
    }
}
