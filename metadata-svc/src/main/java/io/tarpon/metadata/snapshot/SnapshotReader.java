package io.tarpon.metadata.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.Digests;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads a snapshot as a stream ([SnapshotFormat]), one pair in memory at a time. Not safe for several threads.
public final class SnapshotReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final String file;
    private final MessageDigest sum = Digests.sha256();
    private final InputStream in;
    private final SnapshotHeader header;

    /// Reads the header. Takes over the stream.
    ///
    /// @param file name of the snapshot, for messages
    /// @throws UnknownFormatException where another build wrote it
    /// @throws CorruptFormatException where the bytes are not a snapshot
    public SnapshotReader(String file, InputStream in) throws IOException {
        this.file = file;
        this.in = new DigestInputStream(new BufferedInputStream(in, BUFFER_BYTES), sum);
        try {
            this.header = readHeader();
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /// What it says that it is of; not known to be true before [#read] returned.
    public SnapshotHeader header() {
        return header;
    }

    /// Takes one key and its value, which it may keep.
    public interface Taker {
        void take(byte[] key, byte[] value) throws IOException;
    }

    /// Gives every pair, in order. Only once this has returned is the snapshot known to be whole, and its pairs to be
    /// those that were written. Returns how many there are.
    ///
    /// @throws CorruptFormatException it is not whole
    public long read(Taker taker) throws IOException {
        var before = new byte[0];
        var pairs = 0L;
        for (var keyBytes = number(); keyBytes != 0; keyBytes = number()) {
            var valueBytes = number();
            var key = bytes("key", keyBytes, SnapshotFormat.MAX_KEY_BYTES);
            if (Arrays.compareUnsigned(before, key) >= 0) {
                throw corrupt("its keys are not in order");
            }
            taker.take(key, bytes("value", valueBytes, SnapshotFormat.MAX_VALUE_BYTES));
            before = key;
            pairs++;
        }
        requireEnd(pairs);
        return pairs;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private SnapshotHeader readHeader() throws IOException {
        if (number() != SnapshotFormat.MAGIC) {
            throw corrupt("it does not begin with TPSN");
        }
        var format = number();
        if (format != SnapshotFormat.FORMAT) {
            throw new UnknownFormatException(
                    file, SnapshotFormat.WHAT, Integer.toUnsignedLong(format), SnapshotFormat.FORMAT);
        }
        try {
            return new SnapshotHeader(number(), longNumber(), Instant.ofEpochMilli(longNumber()), text(), text());
        } catch (IllegalArgumentException e) {
            throw new CorruptFormatException(file, SnapshotFormat.WHAT, String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable String text() throws IOException {
        var bytes = bytes("text", Short.toUnsignedInt(next(Short.BYTES).getShort()), SnapshotFormat.MAX_KEY_BYTES);
        return bytes.length == 0 ? null : new String(bytes, UTF_8);
    }

    private int number() throws IOException {
        return next(Integer.BYTES).getInt();
    }

    private long longNumber() throws IOException {
        return next(Long.BYTES).getLong();
    }

    private byte[] bytes(String what, int length, int most) throws IOException {
        if (length < 0 || length > most) {
            throw corrupt("it has a " + what + " of " + Integer.toUnsignedLong(length) + " bytes");
        }
        return next(length).array();
    }

    /// A length that was damaged takes no more memory than there are bytes.
    private ByteBuffer next(int length) throws IOException {
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw corrupt("it ends before its end");
        }
        return ByteBuffer.wrap(bytes);
    }

    private void requireEnd(long pairs) throws IOException {
        var said = longNumber();
        var is = sum.digest();
        if (said != pairs) {
            throw corrupt("it has " + pairs + " pairs, and says " + said);
        }
        if (!Arrays.equals(is, next(SnapshotFormat.SHA256_BYTES).array())) {
            throw corrupt("its bytes do not match their SHA-256");
        }
        if (in.read() >= 0) {
            throw corrupt("it has bytes after its end");
        }
    }

    private CorruptFormatException corrupt(String reason) {
        return new CorruptFormatException(file, SnapshotFormat.WHAT, reason);
    }
}
