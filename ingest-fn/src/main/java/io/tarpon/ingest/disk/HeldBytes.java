package io.tarpon.ingest.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bytes that must be known to their end before anything is done with them: few in memory, more in a scratch file. For
/// one thread.
public final class HeldBytes extends OutputStream {
    private static final int BUFFER_BYTES = 64 << 10;

    private final SpoolArea area;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;
    private @Nullable SpoolFile file;

    public HeldBytes(SpoolArea area) {
        this.area = area;
    }

    @Override
    public void write(int value) throws SpoolException {
        if (buffered == buffer.length) {
            spill();
        }
        buffer[buffered++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws SpoolException {
        int at = from;
        int left = length;
        while (left > 0) {
            if (buffered == buffer.length) {
                spill();
            }
            int count = Math.min(left, buffer.length - buffered);
            System.arraycopy(bytes, at, buffer, buffered, count);
            buffered += count;
            at += count;
            left -= count;
        }
    }

    /// All of them, once. Nothing may be written afterwards.
    ///
    /// @throws SpoolException where the scratch file fails
    public void copyTo(OutputStream out) throws IOException {
        if (file != null) {
            var last = Arrays.copyOf(buffer, buffered);
            for (long at = 0; at < file.sizeBytes(); at += buffer.length) {
                int count = (int) Math.min(buffer.length, file.sizeBytes() - at);
                file.read(at, buffer, 0, count);
                out.write(buffer, 0, count);
            }
            out.write(last);
        } else {
            out.write(buffer, 0, buffered);
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    private void spill() throws SpoolException {
        if (file == null) {
            file = area.create();
        }
        file.append(buffer, 0, buffered);
        buffered = 0;
    }
}
