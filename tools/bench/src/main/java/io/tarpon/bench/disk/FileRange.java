package io.tarpon.bench.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/// Ranges of a file, for comparison with what servers sent of it.
public final class FileRange implements AutoCloseable {
    private final FileChannel file;

    public FileRange(Path path) throws IOException {
        this.file = FileChannel.open(path, StandardOpenOption.READ);
    }

    public int crc32c(long from, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, from + bytes.position()) < 0) {
                throw new EOFException("the file ends before " + (from + length));
            }
        }
        var crc = new CRC32C();
        crc.update(bytes.flip());
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
