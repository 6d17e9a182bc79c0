package io.tarpon.gateway.order;

/// Consecutive positions.
///
/// @param start the first
public record Stretch(long start, long count) {
    public Stretch {
        if (start < 0 || count < 0) {
            throw new IllegalArgumentException("no stretch: " + count + " positions from " + start);
        }
    }
}
