package io.tarpon.store;

import java.io.IOException;

/// The bytes of an object are not those that its own checksum or ETag was made of: the server, or something on the way,
/// corrupted them. What was read of it is worth nothing; whether reading again helps is not known.
public final class DamagedObjectException extends IOException {
    private final String key;

    /// @param what the rest of a sentence, such as "its bytes do not match its ETag"
    public DamagedObjectException(String key, String what) {
        super("object is damaged: " + key + ": " + what);
        this.key = key;
    }

    /// The object's key.
    public String key() {
        return key;
    }
}
