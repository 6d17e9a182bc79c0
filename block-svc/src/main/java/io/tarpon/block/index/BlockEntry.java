package io.tarpon.block.index;

import io.tarpon.wire.block.BlockId;
import java.nio.ByteBuffer;

/// What the index knows of one block file.
///
/// @param fileBytes bytes of the file, header and block
/// @param lastUseMillis when it was last read, as far as written down; milliseconds since 1970
/// @param pinned it is never evicted
public record BlockEntry(BlockId id, long fileBytes, long lastUseMillis, boolean pinned) {
    private static final int BYTES = Long.BYTES + Long.BYTES + 1;

    public BlockEntry {
        if (fileBytes < 1 || lastUseMillis < 0) {
            throw new IllegalArgumentException("not a block file: " + id + " of " + fileBytes + " bytes");
        }
    }

    public BlockEntry usedAt(long millis) {
        return new BlockEntry(id, fileBytes, Math.max(millis, lastUseMillis), pinned);
    }

    public BlockEntry pinned(boolean pin) {
        return new BlockEntry(id, fileBytes, lastUseMillis, pin);
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(fileBytes)
                .putLong(lastUseMillis)
                .put((byte) (pinned ? 1 : 0))
                .array();
    }

    /// Throws [IllegalArgumentException] where the bytes are none.
    static BlockEntry decode(BlockId id, byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("index entry of block " + id + " has " + bytes.length + " bytes");
        }
        var in = ByteBuffer.wrap(bytes);
        return new BlockEntry(id, in.getLong(), in.getLong(), in.get() == 1);
    }
}
