package io.tarpon.wire.metadata;

/// What one extension adds up to: the samples that have it and its bytes, without headers and padding.
public record FieldTotals(long samples, long bytes) {
    public FieldTotals {
        if (samples < 0 || bytes < 0) {
            throw new IllegalArgumentException("negative field totals");
        }
    }

    public FieldTotals plus(FieldTotals other) {
        return new FieldTotals(Math.addExact(samples, other.samples), Math.addExact(bytes, other.bytes));
    }
}
