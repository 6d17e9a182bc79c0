package io.tarpon.wire.tar;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;

/// Reads an archive as a stream and refuses all that a shard never holds: other entry types, other header fields,
/// padding that is not zero, data or end blocks cut short, bytes after the end. Not safe for several threads.
public final class UstarReader implements AutoCloseable {
    private final InputStream in;
    private final byte[] block = new byte[Ustar.BLOCK_BYTES];
    private long position;
    private long headerOffset;
    private long dataLeft;
    private int paddingLeft;
    private boolean ended;

    public UstarReader(InputStream in) {
        this.in = in;
    }

    /// Moves to the next member, past what is left of the current one; empty after the last. Only after it returned
    /// empty is the archive known to be whole.
    public Optional<UstarHeader> next() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        skipData();
        headerOffset = position;
        fillBlock("a header or the end blocks");
        if (isZero(block, block.length)) {
            finish();
            return Optional.empty();
        }
        UstarHeader header = UstarHeader.decode(block, 0, headerOffset);
        dataLeft = header.size();
        paddingLeft = (int) (Ustar.paddedLength(header.size()) - header.size());
        return Optional.of(header);
    }

    /// Reads data of the current member; -1 at its end.
    public int read(byte[] target, int offset, int length) throws IOException {
        if (dataLeft == 0) {
            return -1;
        }
        int read = in.read(target, offset, (int) Math.min(length, dataLeft));
        if (read < 0) {
            throw new TarFormatException(position, "tar is cut inside the data of a member");
        }
        position += read;
        dataLeft -= read;
        return read;
    }

    /// Writes what is left of the current member's data to `out`.
    public void transferTo(OutputStream out) throws IOException {
        byte[] buffer = new byte[(int) Math.min(1 << 16, Math.max(dataLeft, 1))];
        for (int read = read(buffer, 0, buffer.length); read >= 0; read = read(buffer, 0, buffer.length)) {
            out.write(buffer, 0, read);
        }
    }

    /// What is left of the current member's data, at most `maxBytes` of it being allowed.
    public byte[] readAll(int maxBytes) throws IOException {
        if (dataLeft > maxBytes) {
            throw new TarFormatException(position, "member of " + dataLeft + " bytes is over " + maxBytes);
        }
        byte[] data = new byte[(int) dataLeft];
        int filled = 0;
        while (filled < data.length) {
            filled += read(data, filled, data.length - filled);
        }
        return data;
    }

    /// Offset of the current member's header in the archive, in bytes.
    public long headerOffset() {
        return headerOffset;
    }

    /// Bytes of the archive read so far; its length once [#next] returned empty.
    public long position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void skipData() throws IOException {
        byte[] buffer = dataLeft > 0 ? new byte[1 << 14] : block;
        while (dataLeft > 0) {
            read(buffer, 0, buffer.length);
        }
        if (in.readNBytes(block, 0, paddingLeft) < paddingLeft) {
            throw new TarFormatException(position, "tar is cut inside the padding of a member");
        }
        if (!isZero(block, paddingLeft)) {
            throw new TarFormatException(position, "tar padding is not zero");
        }
        position += paddingLeft;
        paddingLeft = 0;
    }

    private void finish() throws IOException {
        fillBlock("the second end block");
        if (!isZero(block, block.length)) {
            throw new TarFormatException(position - block.length, "tar has one zero block where two end it");
        }
        if (in.read() >= 0) {
            throw new TarFormatException(position, "tar has bytes after its end");
        }
        ended = true;
    }

    private void fillBlock(String what) throws IOException {
        if (in.readNBytes(block, 0, block.length) < block.length) {
            throw new TarFormatException(position, "tar is cut where " + what + " should be");
        }
        position += block.length;
    }

    private static boolean isZero(byte[] bytes, int length) {
        return Arrays.equals(bytes, 0, length, ZEROS, 0, length);
    }

    private static final byte[] ZEROS = new byte[Ustar.BLOCK_BYTES];
}
