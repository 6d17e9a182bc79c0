package io.tarpon.gateway.order;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.zip.CRC32C;

/// The stored form of [SparseSums]. Big-endian:
///
/// ```
/// "TPSS" | u32 format | u64 samples | u64 total | u64 marks[ceil(samples / 1024)] | u32 crc32c of all before
/// ```
///
/// It does not say of which body the sums are: that is the file's name.
public final class SparseSumsFormat {
    /// The format number written, and the only one read.
    public static final int FORMAT = 1;

    /// Bytes at the beginning of a file that say what it is.
    public static final int HEAD_BYTES = 2 * Integer.BYTES;

    private static final String WHAT = "epoch sums";
    private static final int MAGIC = 0x54505353;
    private static final int FIXED_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;

    private SparseSumsFormat() {}

    /// Bytes of the stored form.
    public static int encodedBytes(SparseSums sums) {
        return FIXED_BYTES + Math.toIntExact(sums.markBytes());
    }

    public static byte[] encode(SparseSums sums) {
        var buffer = ByteBuffer.allocate(encodedBytes(sums));
        buffer.putInt(MAGIC).putInt(FORMAT).putLong(sums.samples()).putLong(sums.total());
        sums.copyMarks(buffer.asLongBuffer());
        var end = buffer.capacity() - Integer.BYTES;
        return buffer.putInt(end, crc(buffer.array(), end)).array();
    }

    /// Reads sums, all of them checked: the CRC, the length, and that the marks ascend as lengths of at least 1 do.
    ///
    /// @param file its name, for messages
    /// @throws UnknownFormatException where another build wrote it
    /// @throws CorruptFormatException where the bytes are not sums
    public static SparseSums decode(String file, byte[] bytes) throws IOException {
        var buffer = ByteBuffer.wrap(bytes);
        if (bytes.length < FIXED_BYTES || buffer.getInt() != MAGIC) {
            throw new CorruptFormatException(file, WHAT, "it does not begin with TPSS, or is too short");
        }
        var format = buffer.getInt();
        if (format != FORMAT) {
            throw new UnknownFormatException(file, WHAT, Integer.toUnsignedLong(format), FORMAT);
        }
        var end = bytes.length - Integer.BYTES;
        if (buffer.getInt(end) != crc(bytes, end)) {
            throw new CorruptFormatException(file, WHAT, "its CRC-32C does not match");
        }
        var samples = buffer.getLong();
        var total = buffer.getLong();
        if (samples < 0
                || samples > SparseSums.MOST_SAMPLES
                || bytes.length - FIXED_BYTES != (long) SparseSums.marksOf(samples) * Long.BYTES) {
            throw new CorruptFormatException(file, WHAT, samples + " samples in " + bytes.length + " bytes");
        }
        var marks = new long[SparseSums.marksOf(samples)];
        buffer.asLongBuffer().get(marks);
        requireAscending(file, samples, total, marks);
        return new SparseSums(samples, total, LongBuffer.wrap(marks));
    }

    /// Whether these are sums that [#decode] refuses for their format number.
    ///
    /// @param head the first 8 bytes of a file, or all where it has fewer
    public static boolean isOfAnotherBuild(byte[] head) {
        var buffer = ByteBuffer.wrap(head);
        return head.length == HEAD_BYTES && buffer.getInt() == MAGIC && buffer.getInt() != FORMAT;
    }

    private static void requireAscending(String file, long samples, long total, long[] marks) throws IOException {
        long least = 0;
        for (int mark = 0; mark < marks.length; mark++) {
            var behind = Math.min(SparseSums.EVERY, samples - (long) mark * SparseSums.EVERY);
            if (marks[mark] < least || marks[mark] > total - behind || (mark == 0 && marks[0] != 0)) {
                throw new CorruptFormatException(file, WHAT, "mark " + mark + " is " + marks[mark] + " of " + total);
            }
            least = marks[mark] + behind;
        }
        if (total < 0 || (samples == 0 && total != 0)) {
            throw new CorruptFormatException(file, WHAT, "its total is " + total);
        }
    }

    private static int crc(byte[] bytes, int length) {
        var crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
