package io.tarpon.ingest.disk;

/// Reads a [RecordFile] through a buffer of its own.
final class FileRecords implements Records {
    private final SpoolFile file;
    private byte[] buffer = new byte[RecordFile.BUFFER_BYTES];
    private long position;
    private int start;
    private int end;
    private int length;

    FileRecords(SpoolFile file) {
        this.file = file;
    }

    @Override
    public boolean next() throws SpoolException {
        start += length;
        length = 0;
        if (start == end && position == file.sizeBytes()) {
            return false;
        }
        require(Integer.BYTES);
        int announced = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            announced = announced << 8 | Byte.toUnsignedInt(buffer[start++]);
        }
        require(announced);
        length = announced;
        return true;
    }

    @Override
    public byte[] bytes() {
        return buffer;
    }

    @Override
    public int from() {
        return start;
    }

    @Override
    public int length() {
        return length;
    }

    /// Afterwards that many bytes are in the buffer from `start` on.
    private void require(int bytes) throws SpoolException {
        int held = end - start;
        if (held >= bytes) {
            return;
        }
        var target = bytes > buffer.length ? new byte[bytes] : buffer;
        System.arraycopy(buffer, start, target, 0, held);
        buffer = target;
        start = 0;
        int count = (int) Math.min(buffer.length - held, file.sizeBytes() - position);
        file.read(position, buffer, held, count);
        position += count;
        end = held + count;
        if (end < bytes) {
            throw new SpoolException("a scratch file ends inside a record");
        }
    }
}
