package io.tarpon.metadata.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.Digests;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Writes a snapshot as a stream ([SnapshotFormat]), one pair in memory at a time. The same header and pairs give the
/// same bytes. The stream stays the caller's, who must not use what was written unless [#finish] returned. Not safe
/// for several threads.
public final class SnapshotWriter {
    private final Summed summed;
    private final DataOutputStream out;
    private byte[] before = {};
    private long pairs;

    /// What was written.
    ///
    /// @param pairs keys with their values
    /// @param sha256 of all bytes, in lower-case hex
    public record Written(long pairs, long bytes, String sha256) {}

    /// @param out takes many small pieces
    public SnapshotWriter(OutputStream out, SnapshotHeader header) throws IOException {
        this.summed = new Summed(out);
        this.out = new DataOutputStream(summed);
        this.out.writeInt(SnapshotFormat.MAGIC);
        this.out.writeInt(SnapshotFormat.FORMAT);
        this.out.writeInt(header.imageFormat());
        this.out.writeLong(header.revision());
        this.out.writeLong(header.created().toEpochMilli());
        text(header.log());
        text(header.entry());
    }

    /// Adds the next pair in order of the keys' unsigned bytes.
    ///
    /// @throws IllegalArgumentException it is not the next, or too long
    public void add(byte[] key, byte[] value) throws IOException {
        if (key.length == 0
                || key.length > SnapshotFormat.MAX_KEY_BYTES
                || value.length > SnapshotFormat.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "a key of " + key.length + " bytes with " + value.length + " bytes goes into no snapshot");
        }
        if (Arrays.compareUnsigned(before, key) >= 0) {
            throw new IllegalArgumentException("key " + HexFormat.of().formatHex(key) + " comes after "
                    + HexFormat.of().formatHex(before));
        }
        out.writeInt(key.length);
        out.writeInt(value.length);
        out.write(key);
        out.write(value);
        before = key.clone();
        pairs++;
    }

    /// Ends the snapshot and flushes it.
    public Written finish() throws IOException {
        out.writeInt(0);
        out.writeLong(pairs);
        out.write(summed.soFar());
        out.flush();
        return new Written(pairs, summed.bytes, HexFormat.of().formatHex(summed.soFar()));
    }

    private void text(@Nullable String text) throws IOException {
        var bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    /// Passes bytes on, and sums them.
    private static final class Summed extends OutputStream {
        private final OutputStream out;
        private final MessageDigest sum = Digests.sha256();
        private long bytes;

        private Summed(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            out.write(from, offset, length);
            sum.update(from, offset, length);
            bytes += length;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        private byte[] soFar() {
            try {
                return ((MessageDigest) sum.clone()).digest();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException("every Java platform's SHA-256 can be cloned", e);
            }
        }
    }
}
