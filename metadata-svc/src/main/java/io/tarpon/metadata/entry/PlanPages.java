package io.tarpon.metadata.entry;

import io.tarpon.wire.Digests;

/// Names all pages of one plan, so that pages of two plans never mix.
///
/// @param id SHA-256 in lower-case hex over all of them, in order, and over where each begins
/// @param count how many there are
public record PlanPages(String id, int count) {
    public PlanPages {
        Digests.requireSha256("id", id);
        if (count < 1) {
            throw new IllegalArgumentException("a plan of " + count + " pages");
        }
    }
}
