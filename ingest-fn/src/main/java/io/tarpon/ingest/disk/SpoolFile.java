package io.tarpon.ingest.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// One scratch file: appended to, then read at any place. Its bytes count against the area until it is closed.
/// Appending is for one thread; reading is for any number once appending is over.
final class SpoolFile implements AutoCloseable {
    private final SpoolArea area;
    private final FileChannel channel;
    private long sizeBytes;
    private boolean closed;

    SpoolFile(SpoolArea area, FileChannel channel) {
        this.area = area;
        this.channel = channel;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    void append(byte[] bytes, int from, int length) throws SpoolException {
        area.take(length);
        sizeBytes += length;
        try {
            var buffer = ByteBuffer.wrap(bytes, from, length);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw area.failed(e);
        }
    }

    /// Fills the range from a place of the file.
    void read(long position, byte[] into, int from, int length) throws SpoolException {
        try {
            var buffer = ByteBuffer.wrap(into, from, length);
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, position + buffer.position() - from) < 0) {
                    throw new EOFException("a scratch file ends early");
                }
            }
        } catch (IOException e) {
            throw area.failed(e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        area.giveBack(sizeBytes);
        try {
            channel.close();
        } catch (IOException e) {
            // The file has no name and nothing in it is wanted any more.
        }
    }
}
