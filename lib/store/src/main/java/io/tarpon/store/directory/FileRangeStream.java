package io.tarpon.store.directory;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/// Exactly one range of an object's file; owns the channel.
final class FileRangeStream extends InputStream {
    private final String key;
    private final FileChannel channel;
    private long at;
    private long left;

    FileRangeStream(String key, FileChannel channel, long offset, long lengthBytes) {
        this.key = key;
        this.channel = channel;
        this.at = offset;
        this.left = lengthBytes;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        int count = channel.read(ByteBuffer.wrap(into, offset, (int) Math.min(length, left)), at);
        if (count < 0) {
            throw new EOFException(key + " became shorter while it was read");
        }
        at += count;
        left -= count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
