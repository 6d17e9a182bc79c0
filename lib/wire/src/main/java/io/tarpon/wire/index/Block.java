package io.tarpon.wire.index;

/// One block of a shard.
///
/// @param number 0-based in the shard
/// @param firstSample ordinal of the first sample that begins at or after `offset`
/// @param samples samples that begin inside the block; 0 where it only continues a large one
/// @param offset first byte in the shard, a multiple of 512
/// @param length bytes, at most [BlockCutter#MAX_BLOCK_BYTES]
/// @param crc32c CRC-32C of its bytes
public record Block(int number, int firstSample, int samples, long offset, int length, int crc32c) {
    public Block {
        if (number < 0 || firstSample < 0 || samples < 0 || offset < 0 || length <= 0) {
            throw new IllegalArgumentException("not a block: " + number);
        }
    }

    /// First shard offset after the block.
    public long end() {
        return offset + length;
    }
}
