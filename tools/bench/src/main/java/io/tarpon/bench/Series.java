package io.tarpon.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// The runs of one contender; each figure is the median of its own.
public record Series(List<Sample> samples) {
    public Series {
        samples = List.copyOf(samples);
        if (samples.isEmpty()) {
            throw new IllegalArgumentException("a series of no runs");
        }
    }

    /// Work a second.
    public double rate() {
        return median(Sample::rate);
    }

    /// CPU seconds of the servers for one unit of work.
    public double serverCpu() {
        return median(Sample::serverCpu);
    }

    /// CPU seconds of servers, client and kernel network threads for one unit of work.
    public double allCpu() {
        return median(Sample::allCpu);
    }

    private double median(ToDoubleFunction<Sample> figure) {
        return median(samples.stream().mapToDouble(figure).toArray());
    }

    /// The middle one; of an even number the mean of the two in the middle.
    static double median(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("the median of nothing");
        }
        var sorted = values.clone();
        java.util.Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
