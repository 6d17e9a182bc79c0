package io.tarpon.store;

import java.io.IOException;

/// An object of a source is not, or no longer, the one that was planned. Reading again does not help; planning again
/// does.
public final class SourceChangedException extends IOException {
    private final String key;

    /// @param what the rest of a sentence, such as "it is gone"
    public SourceChangedException(String key, String what) {
        super("source object changed since it was planned: " + key + ": " + what);
        this.key = key;
    }

    /// The object's key.
    public String key() {
        return key;
    }
}
