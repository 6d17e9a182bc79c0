package io.tarpon.wire.block;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.index.Block;
import io.tarpon.wire.index.ShardLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// The head of a block file, which says whose bytes follow and what they must be. Big-endian, always 4,096 bytes:
///
/// ```
/// "BLK1" | u16 version | u16 flags (0) | id as 32 ASCII bytes | u64 length | u32 subBlock | u32 n | u32 crc32c[n]
/// u32 crc32c of all before | zeros
/// ```
///
/// The id catches a renamed or misdirected file. Immutable.
public final class BlockFileHeader {
    /// Bytes before the block's data.
    public static final int BYTES = 4096;

    /// The version written, and the only one read.
    public static final int VERSION = 1;

    private static final String WHAT = "block file";
    private static final int MAGIC = 0x424c4b31;
    private static final int FIXED_BYTES = 56;
    private static final int MAX_SUB_BLOCKS = (BYTES - FIXED_BYTES - Integer.BYTES) / Integer.BYTES;

    private final BlockId id;
    private final int length;
    private final int subBlockBytes;
    private final int[] crcs;

    /// @param length bytes of the block
    /// @param crcs CRC-32C of each sub-block, in order; the last one may be short
    public BlockFileHeader(BlockId id, int length, int subBlockBytes, int[] crcs) {
        if (length < 1 || subBlockBytes < 1 || crcs.length > MAX_SUB_BLOCKS) {
            throw new IllegalArgumentException(
                    "block " + id + " of " + length + " bytes in " + crcs.length + " sub-blocks cannot be");
        }
        if (crcs.length != (length + (long) subBlockBytes - 1) / subBlockBytes) {
            throw new IllegalArgumentException("block " + id + " of " + length + " bytes does not have " + crcs.length
                    + " sub-blocks of " + subBlockBytes);
        }
        this.id = id;
        this.length = length;
        this.subBlockBytes = subBlockBytes;
        this.crcs = crcs.clone();
    }

    /// The header of a shard's block, as its index has it.
    public static BlockFileHeader of(ShardLayout layout, int blockNumber) {
        Block block = layout.block(blockNumber);
        return new BlockFileHeader(
                BlockId.of(layout.shardSha256(), blockNumber),
                block.length(),
                layout.subBlockBytes(),
                layout.subBlockCrcs(blockNumber));
    }

    public BlockId id() {
        return id;
    }

    /// Bytes of the block.
    public int length() {
        return length;
    }

    /// Bytes of the file: header and block.
    public long fileBytes() {
        return BYTES + (long) length;
    }

    public int subBlockBytes() {
        return subBlockBytes;
    }

    public int subBlockCount() {
        return crcs.length;
    }

    /// CRC-32C that a sub-block must have.
    public int subBlockCrc(int subBlock) {
        return crcs[subBlock];
    }

    /// Bytes of a sub-block.
    public int subBlockLength(int subBlock) {
        return Math.min(subBlockBytes, length - subBlock * subBlockBytes);
    }

    /// The 4,096 bytes.
    public byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) 0);
        out.put(id.hex().getBytes(US_ASCII))
                .putLong(length)
                .putInt(subBlockBytes)
                .putInt(crcs.length);
        for (int crc : crcs) {
            out.putInt(crc);
        }
        out.putInt(crc(out.array(), out.position()));
        return out.array();
    }

    /// Reads a header, all of it checked.
    ///
    /// @param file the block file, for messages
    /// @throws UnknownFormatException where another build wrote it
    /// @throws CorruptFormatException where the bytes are not a header
    public static BlockFileHeader decode(String file, byte[] bytes) throws IOException {
        if (bytes.length != BYTES) {
            throw new CorruptFormatException(file, WHAT, "its header is cut at " + bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getInt() != MAGIC) {
            throw new CorruptFormatException(file, WHAT, "it does not begin with BLK1");
        }
        int version = Short.toUnsignedInt(in.getShort());
        if (version != VERSION) {
            throw new UnknownFormatException(file, WHAT, version, VERSION);
        }
        int count = in.getInt(FIXED_BYTES - Integer.BYTES);
        if (count < 1 || count > MAX_SUB_BLOCKS) {
            throw new CorruptFormatException(file, WHAT, "number of sub-blocks out of range: " + count);
        }
        int end = FIXED_BYTES + count * Integer.BYTES;
        if (in.getInt(end) != crc(bytes, end)) {
            throw new CorruptFormatException(file, WHAT, "the CRC-32C of its header does not match");
        }
        BlockFileHeader header = fields(file, in, count);
        if (!Arrays.equals(header.encode(), bytes)) {
            throw new CorruptFormatException(file, WHAT, "its header has flags or padding that are not zero");
        }
        return header;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockFileHeader that
                && id.equals(that.id)
                && length == that.length
                && subBlockBytes == that.subBlockBytes
                && Arrays.equals(crcs, that.crcs);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    private static BlockFileHeader fields(String file, ByteBuffer in, int count) throws CorruptFormatException {
        in.position(8);
        byte[] id = new byte[BlockId.DIGITS];
        in.get(id);
        try {
            int length = Math.toIntExact(in.getLong());
            int subBlockBytes = in.getInt();
            int[] crcs = new int[count];
            in.position(FIXED_BYTES).asIntBuffer().get(crcs);
            return new BlockFileHeader(BlockId.parse(new String(id, US_ASCII)), length, subBlockBytes, crcs);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CorruptFormatException(file, WHAT, "its header cannot be: " + e.getMessage(), e);
        }
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
