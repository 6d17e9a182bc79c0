package io.tarpon.wire.plan;

import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.tar.Ustar;

/// One input, frozen.
///
/// @param extension final extension in the tar
/// @param size bytes, 0 to [Ustar#MAX_MEMBER_BYTES]
/// @param sourceKey key in the source, below its prefix
/// @param etag pins the object's content; as the source gave it
public record PlannedMember(String extension, long size, String sourceKey, String etag) {
    public PlannedMember {
        if (!KeyPolicy.isFinalExtension(extension)) {
            throw new IllegalArgumentException("extension of " + sourceKey + " is not final: " + extension);
        }
        if (size < 0 || size > Ustar.MAX_MEMBER_BYTES) {
            throw new IllegalArgumentException("size of " + sourceKey + " does not fit a tar header: " + size);
        }
        if (sourceKey.isEmpty()) {
            throw new IllegalArgumentException("a planned member without a source key");
        }
    }
}
