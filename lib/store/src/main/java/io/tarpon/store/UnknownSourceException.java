package io.tarpon.store;

import java.io.IOException;

/// A source reference that configuration does not allow. Nothing was opened or dialled.
public final class UnknownSourceException extends IOException {
    private final String reference;

    /// @param nextStep what to do about it, a sentence
    public UnknownSourceException(String reference, String nextStep) {
        super("unknown source: " + reference + ": " + nextStep);
        this.reference = reference;
    }

    /// The reference as it was given.
    public String reference() {
        return reference;
    }
}
