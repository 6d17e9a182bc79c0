package io.tarpon.wire.index;

import java.nio.IntBuffer;
import java.util.function.UnaryOperator;

/// The blocks of a shard as columns. They tile it from offset 0.
///
/// @param targetBytes what [BlockCutter] cut for
/// @param subBlockBytes the unit of verification
/// @param firstSample per block, and the sample count after the last
/// @param offset512 per block in 512-byte units, unsigned, and the shard's length after the last
/// @param crc32c per block
/// @param subStart per block, position of its first sub-block in `subCrc32c`, and their count after the last
/// @param subCrc32c per sub-block of all blocks
record BlockTable(
        int targetBytes,
        int subBlockBytes,
        IntBuffer firstSample,
        IntBuffer offset512,
        IntBuffer crc32c,
        IntBuffer subStart,
        IntBuffer subCrc32c) {

    /// The same over columns that `place` gives for these.
    BlockTable over(UnaryOperator<IntBuffer> place) {
        return new BlockTable(
                targetBytes,
                subBlockBytes,
                place.apply(firstSample),
                place.apply(offset512),
                place.apply(crc32c),
                place.apply(subStart),
                place.apply(subCrc32c));
    }

    int count() {
        return crc32c.limit();
    }

    long offset(int block) {
        return Integer.toUnsignedLong(offset512.get(block)) << 9;
    }

    Block block(int number) {
        long offset = offset(number);
        int first = firstSample.get(number);
        int length = (int) (offset(number + 1) - offset);
        return new Block(number, first, firstSample.get(number + 1) - first, offset, length, crc32c.get(number));
    }

    int[] subBlockCrcs(int number) {
        int from = subStart.get(number);
        int[] crcs = new int[subStart.get(number + 1) - from];
        subCrc32c.get(from, crcs);
        return crcs;
    }

    long columnBytes() {
        return 4L * (firstSample.limit() + offset512.limit() + crc32c.limit() + subStart.limit() + subCrc32c.limit());
    }
}
