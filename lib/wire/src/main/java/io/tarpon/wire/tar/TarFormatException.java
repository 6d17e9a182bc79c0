package io.tarpon.wire.tar;

import java.io.IOException;

/// The bytes are not the strict ustar form of a shard. Says what is wrong and at which byte of the archive.
public final class TarFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long offset;

    public TarFormatException(long offset, String reason) {
        super(reason + " (tar offset " + offset + ")");
        this.offset = offset;
    }

    /// Offset in the archive, in bytes, of the header or data concerned.
    public long offset() {
        return offset;
    }
}
