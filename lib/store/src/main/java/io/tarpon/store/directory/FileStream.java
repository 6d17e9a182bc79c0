package io.tarpon.store.directory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/// Exactly so many bytes of a file, from one of them on; owns the channel.
abstract class FileStream extends InputStream {
    private final FileChannel channel;
    private long at;
    private long left;

    FileStream(FileChannel channel, long offset, long lengthBytes) {
        this.channel = channel;
        this.at = offset;
        this.left = lengthBytes;
    }

    /// What is thrown where the file ends before its bytes.
    abstract IOException tooShort();

    /// Looks at the file once more, before the call that hands out the last byte returns.
    abstract void atTheEnd() throws IOException;

    @Override
    public final int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public final int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        int count = channel.read(ByteBuffer.wrap(into, offset, (int) Math.min(length, left)), at);
        if (count < 0) {
            throw tooShort();
        }
        if (count == left) {
            atTheEnd();
        }
        at += count;
        left -= count;
        return count;
    }

    @Override
    public final int available() {
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public final void close() throws IOException {
        channel.close();
    }
}
