package io.tarpon.wire.index;

import io.tarpon.wire.tar.Ustar;

/// Where one member of a shard is.
///
/// @param extension final extension
/// @param size data bytes
/// @param headerOffset where its header begins in the shard
public record MemberPlace(String extension, long size, long headerOffset) {
    public MemberPlace {
        if (extension.isEmpty() || size < 0 || headerOffset < 0) {
            throw new IllegalArgumentException("not a member: " + extension + " at " + headerOffset);
        }
    }

    /// Where its data begin in the shard.
    public long dataOffset() {
        return headerOffset + Ustar.BLOCK_BYTES;
    }

    /// Header, data and padding, in bytes.
    public long tarLength() {
        return Ustar.memberLength(size);
    }
}
