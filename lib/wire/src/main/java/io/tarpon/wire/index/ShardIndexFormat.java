package io.tarpon.wire.index;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// The stored form of a [ShardIndex]. Canonical: one index has one form, and only that form is read. Big-endian:
///
/// ```
/// "TPIX" | u32 format | sha256[32] | u64 shardBytes | u32 shardCrc32c | u32 blockTarget | u32 subBlock
/// u32 samples | u32 extensions | u32 blocks
/// u32 offset512[samples] | u32 crc32c[samples]
/// per extension, in byte order: u8 length, name, u32 count, u8 width (4|8),
///     bitmap[ceil(samples/8)], low bit first, or u32 ordinals[count] where count * 32 < samples; sizes[count]
/// u8 keyLength[samples] | key bytes | u32 ordinalsByKey[samples]
/// u32 firstSample[blocks] | u32 offset512[blocks] | u32 crc32c[blocks] | u32 subBlockCrc32c[...]
/// u32 crc32c of all before
/// ```
public final class ShardIndexFormat {
    /// The format number written, and the only one read.
    public static final int FORMAT = 1;

    static final String WHAT = "shard index";
    static final int MAGIC = 0x54504958;

    private static final int MIN_BYTES = 12;

    private ShardIndexFormat() {}

    /// The canonical bytes of an index.
    public static byte[] encode(ShardIndex index) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 12);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            IndexEncoding.write(index, out);
            out.writeInt(crc(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new IllegalStateException("an array takes all bytes", e);
        }
        return bytes.toByteArray();
    }

    /// Reads an index, all of it checked: its own CRC, every number against the others, and that it is canonical.
    ///
    /// @param file name of the object, for messages
    /// @throws UnknownFormatException where another build wrote it
    /// @throws CorruptFormatException where the bytes are not an index
    public static ShardIndex decode(String file, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (bytes.length < MIN_BYTES || buffer.getInt() != MAGIC) {
            throw new CorruptFormatException(file, WHAT, "it does not begin with TPIX");
        }
        int format = buffer.getInt();
        if (format != FORMAT) {
            throw new UnknownFormatException(file, WHAT, Integer.toUnsignedLong(format), FORMAT);
        }
        int end = bytes.length - Integer.BYTES;
        if (buffer.getInt(end) != crc(bytes, end)) {
            throw new CorruptFormatException(file, WHAT, "its CRC-32C does not match");
        }
        ShardIndex index = new IndexDecoding(new IndexBytes(file, buffer.limit(end))).index();
        if (!Arrays.equals(encode(index), bytes)) {
            throw new CorruptFormatException(file, WHAT, "it is not in canonical form");
        }
        return index;
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
