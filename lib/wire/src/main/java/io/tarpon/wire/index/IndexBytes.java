package io.tarpon.wire.index;

import io.tarpon.wire.format.CorruptFormatException;
import java.nio.ByteBuffer;

/// Columns read from the bytes of an index. Nothing is allocated that the bytes still to come could not fill.
final class IndexBytes {
    private final String file;
    private final ByteBuffer bytes;

    IndexBytes(String file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    int int32(String what) throws CorruptFormatException {
        require(4, what);
        return bytes.getInt();
    }

    /// A count, which the file cannot hold more of than it has bytes.
    int count(String what, int minimum) throws CorruptFormatException {
        int count = int32(what);
        if (count < minimum || count > bytes.remaining()) {
            throw corrupt(what + " out of range: " + Integer.toUnsignedLong(count));
        }
        return count;
    }

    long int64(String what) throws CorruptFormatException {
        require(8, what);
        return bytes.getLong();
    }

    int uint8(String what) throws CorruptFormatException {
        require(1, what);
        return bytes.get() & 0xff;
    }

    byte[] array(int length, String what) throws CorruptFormatException {
        require(length, what);
        byte[] array = new byte[length];
        bytes.get(array);
        return array;
    }

    /// Ints into the first `count` places of a fresh column of `length`.
    int[] ints(int count, int length, String what) throws CorruptFormatException {
        require(4L * count, what);
        int[] column = new int[length];
        bytes.asIntBuffer().get(column, 0, count);
        bytes.position(bytes.position() + 4 * count);
        return column;
    }

    void end() throws CorruptFormatException {
        if (bytes.hasRemaining()) {
            throw corrupt(bytes.remaining() + " bytes too many");
        }
    }

    CorruptFormatException corrupt(String reason) {
        return new CorruptFormatException(file, ShardIndexFormat.WHAT, reason);
    }

    CorruptFormatException corrupt(String reason, RuntimeException cause) {
        return new CorruptFormatException(file, ShardIndexFormat.WHAT, reason, cause);
    }

    private void require(long length, String what) throws CorruptFormatException {
        if (length > bytes.remaining()) {
            throw new CorruptFormatException(file, ShardIndexFormat.WHAT, "cut inside " + what);
        }
    }
}
