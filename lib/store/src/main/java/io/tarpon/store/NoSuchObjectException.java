package io.tarpon.store;

import java.io.IOException;

/// There is no object of that key in the store.
public final class NoSuchObjectException extends IOException {
    private final String key;

    public NoSuchObjectException(String key) {
        super("no such object in the store: " + key);
        this.key = key;
    }

    /// The key that was asked for.
    public String key() {
        return key;
    }
}
