package io.tarpon.gateway.order;

/// Where a byte of a body lies.
///
/// @param sample of the body, from 0
/// @param offset inside that sample, from 0
public record Place(long sample, long offset) {
    public Place {
        if (sample < 0 || offset < 0) {
            throw new IllegalArgumentException("no place: byte " + offset + " of sample " + sample);
        }
    }
}
