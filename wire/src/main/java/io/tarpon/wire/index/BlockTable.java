package io.tarpon.wire.index;

import java.util.Arrays;

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
        int[] firstSample,
        int[] offset512,
        int[] crc32c,
        int[] subStart,
        int[] subCrc32c) {

    int count() {
        return crc32c.length;
    }

    long offset(int block) {
        return Integer.toUnsignedLong(offset512[block]) << 9;
    }

    Block block(int number) {
        long offset = offset(number);
        int first = firstSample[number];
        int length = (int) (offset(number + 1) - offset);
        return new Block(number, first, firstSample[number + 1] - first, offset, length, crc32c[number]);
    }

    int[] subBlockCrcs(int number) {
        return Arrays.copyOfRange(subCrc32c, subStart[number], subStart[number + 1]);
    }

    long memoryBytes() {
        return 4L * (firstSample.length + offset512.length + crc32c.length + subStart.length + subCrc32c.length);
    }
}
