package io.tarpon.wire.index;

import io.tarpon.wire.tar.Ustar;

/// One member of a shard.
///
/// @param extension final extension
/// @param name its name in the tar: key, dot, extension
/// @param size data bytes
/// @param headerOffset where its header begins in the shard
public record IndexedMember(String extension, String name, long size, long headerOffset) {
    public IndexedMember {
        if (extension.isEmpty() || size < 0 || headerOffset < 0) {
            throw new IllegalArgumentException("not a member: " + name);
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
