package io.tarpon.gateway.order;

/// The lowest and the highest position in a body, both in it.
public record Span(long lowest, long highest) {
    public Span {
        if (lowest < 0 || highest < lowest) {
            throw new IllegalArgumentException("no span: " + lowest + " to " + highest);
        }
    }

    /// `lowest-highest`.
    public String wireForm() {
        return lowest + "-" + highest;
    }
}
