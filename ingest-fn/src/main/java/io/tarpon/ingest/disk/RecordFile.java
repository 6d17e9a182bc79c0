package io.tarpon.ingest.disk;

import java.util.zip.CRC32C;

/// Records in a scratch file, each as its length and the CRC-32C of its bytes (four bytes each, big-endian) and its
/// bytes. Written once from beginning to end by one thread, then read as often as wanted.
public final class RecordFile implements AutoCloseable {
    static final int BUFFER_BYTES = 64 << 10;
    static final int HEAD_BYTES = 2 * Integer.BYTES;

    /// Long enough for a sample of about ten thousand files.
    public static final int MAX_RECORD_BYTES = 448 << 10;

    private final SpoolFile file;
    private final CRC32C sum = new CRC32C();
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;

    public RecordFile(SpoolArea area) throws SpoolException {
        this.file = area.create();
    }

    public void add(byte[] bytes, int from, int length) throws SpoolException {
        requireRecord(length);
        if (buffered + HEAD_BYTES > buffer.length) {
            flush();
        }
        sum.reset();
        sum.update(bytes, from, length);
        put(length);
        put((int) sum.getValue());
        if (length > buffer.length - buffered) {
            flush();
        }
        if (length > buffer.length) {
            file.append(bytes, from, length);
        } else {
            System.arraycopy(bytes, from, buffer, buffered, length);
            buffered += length;
        }
    }

    /// Ends the writing.
    public RecordFile finish() throws SpoolException {
        flush();
        buffer = new byte[0];
        return this;
    }

    public Records open() {
        if (buffer.length > 0) {
            throw new IllegalStateException("a record file is read before it is finished");
        }
        return new FileRecords(file);
    }

    @Override
    public void close() {
        file.close();
    }

    static void requireRecord(int length) {
        if (length < 1 || length > MAX_RECORD_BYTES) {
            throw new IllegalArgumentException("a record has 1 to " + MAX_RECORD_BYTES + " bytes, not " + length);
        }
    }

    private void put(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            buffer[buffered++] = (byte) (value >>> shift);
        }
    }

    private void flush() throws SpoolException {
        if (buffered > 0) {
            file.append(buffer, 0, buffered);
            buffered = 0;
        }
    }
}
