package io.tarpon.shard.assembly;

import java.io.IOException;

/// A planned input could not be read. Unlike a changed one it may be readable later.
public final class UnreadableInputException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadableInputException(String key, IOException cause) {
        super("source object cannot be read: " + key + ": " + cause, cause);
    }
}
