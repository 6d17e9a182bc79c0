package io.tarpon.store;

import java.nio.charset.StandardCharsets;

/// What every [ObjectStore] asks of a key.
public final class StoreKeys {
    /// S3's own limit.
    public static final int MAX_BYTES = 1024;

    private StoreKeys() {}

    /// Returns the key.
    ///
    /// @throws IllegalArgumentException unless it is text of 1 to 1,024 UTF-8 bytes without NUL
    public static String require(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("an object key must not be empty");
        }
        if (!isText(key)) {
            throw new IllegalArgumentException("an object key must be text without NUL: " + key);
        }
        if (key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new IllegalArgumentException("an object key has at most " + MAX_BYTES + " bytes: " + key);
        }
        return key;
    }

    /// Whether the key has a form in UTF-8 (half a surrogate pair would be sent as another key) and no NUL.
    public static boolean isText(String key) {
        return key.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(key);
    }
}
