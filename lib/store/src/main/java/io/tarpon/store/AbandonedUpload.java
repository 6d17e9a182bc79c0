package io.tarpon.store;

import java.time.Instant;

/// A write that was begun and neither completed nor thrown away: what a process leaves that dies in the middle. It
/// costs space and is no object.
///
/// @param key what a person knows it by: the object's key; in a folder, which does not know that, the temporary file's
/// path below the store's root
/// @param id tells it from others of the same key
/// @param since when it was begun; in a folder, when it was last written to
public record AbandonedUpload(String key, String id, Instant since) {
    public AbandonedUpload {
        if (key.isEmpty() || id.isEmpty()) {
            throw new IllegalArgumentException("not an upload: key=" + key + " id=" + id);
        }
    }
}
