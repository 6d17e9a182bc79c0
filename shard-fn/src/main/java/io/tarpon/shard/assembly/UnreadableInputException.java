package io.tarpon.shard.assembly;

import io.tarpon.store.DamagedObjectException;
import io.tarpon.store.RefusedException;
import java.io.IOException;

/// A planned input could not be read. Unlike a changed one it may be readable later.
public final class UnreadableInputException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnreadableInputException(String key, IOException cause) {
        super("source object cannot be read: " + key + ": " + cause, cause);
    }

    /// Whether the object is there and is kept from us, or has bytes that are not its own: what a few attempts see,
    /// all see. Else its source is in trouble.
    public boolean isTheObjectsFault() {
        return RefusedException.isIn(getCause()) || getCause() instanceof DamagedObjectException;
    }
}
