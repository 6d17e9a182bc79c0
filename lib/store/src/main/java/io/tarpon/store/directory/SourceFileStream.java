package io.tarpon.store.directory;

import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/// The bytes of a planned file; the call that would hand out the last of them first checks that it is still that
/// file.
final class SourceFileStream extends InputStream {
    private final SourceFile file;
    private final FileChannel channel;
    private long left;

    SourceFileStream(SourceFile file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
        this.left = file.sizeBytes();
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
        int count = channel.read(ByteBuffer.wrap(into, offset, (int) Math.min(length, left)));
        if (count < 0) {
            throw new SourceChangedException(file.key(), "it is shorter than planned");
        }
        if (count == left) {
            file.check();
        }
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
