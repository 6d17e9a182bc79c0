package io.tarpon.ingest.disk;

import java.util.zip.CRC32C;

/// Reads a [RecordFile] through a buffer of its own. A record that is not what was written is an error: the disk lost
/// or changed it.
final class FileRecords implements Records {
    private final SpoolFile file;
    private final CRC32C sum = new CRC32C();
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
        require(RecordFile.HEAD_BYTES);
        int announced = number();
        int written = number();
        if (announced < 1 || announced > RecordFile.MAX_RECORD_BYTES) {
            throw damaged("has a length of " + announced);
        }
        require(announced);
        sum.reset();
        sum.update(buffer, start, announced);
        if ((int) sum.getValue() != written) {
            throw damaged("is not what was written");
        }
        length = announced;
        return true;
    }

    private int number() {
        int number = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            number = number << 8 | Byte.toUnsignedInt(buffer[start++]);
        }
        return number;
    }

    private SpoolException damaged(String what) {
        return new SpoolException("a record of a scratch file " + what + ", before byte " + position
                + ": the disk of tarpon.ingest.spool-dir gives back other bytes than it was given");
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
