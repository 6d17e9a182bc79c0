package io.tarpon.bench.load;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// What a tar is made of, whatever the order: the CRC-32C of its blocks of 512 bytes, added up. Two tars of the same
/// samples have the same sum, but for the zero blocks, which count nothing.
///
/// For one thread.
public final class TarBlocks {
    private static final int BLOCK_BYTES = 512;
    private static final int ZEROES = crcOfZeroes();

    private final CRC32C crc = new CRC32C();
    private int inBlock;
    private long sum;

    /// Takes the next bytes, blocks or parts of them.
    public void add(ByteBuffer bytes) {
        var end = bytes.limit();
        while (bytes.position() < end) {
            int taken = Math.min(end - bytes.position(), BLOCK_BYTES - inBlock);
            crc.update(bytes.limit(bytes.position() + taken));
            bytes.limit(end);
            inBlock += taken;
            if (inBlock == BLOCK_BYTES) {
                endBlock();
            }
        }
    }

    private void endBlock() {
        var value = (int) crc.getValue();
        sum += value == ZEROES ? 0 : Integer.toUnsignedLong(value);
        crc.reset();
        inBlock = 0;
    }

    /// Of all whole blocks so far.
    public long sum() {
        return sum;
    }

    private static int crcOfZeroes() {
        var crc = new CRC32C();
        crc.update(new byte[BLOCK_BYTES]);
        return (int) crc.getValue();
    }
}
