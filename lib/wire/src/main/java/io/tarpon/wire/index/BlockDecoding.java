package io.tarpon.wire.index;

import io.tarpon.wire.format.CorruptFormatException;
import java.nio.IntBuffer;

/// Reads the block table of an index and holds it against the samples.
final class BlockDecoding {
    private final IndexBytes in;

    BlockDecoding(IndexBytes in) {
        this.in = in;
    }

    BlockTable table(int targetBytes, int subBlockBytes, int count, long shardBytes, int[] sampleOffset512)
            throws CorruptFormatException {
        int samples = sampleOffset512.length - 1;
        int[] firstSample = in.ints(count, count + 1, "first samples of blocks");
        int[] offset512 = in.ints(count, count + 1, "block offsets");
        int[] crc32c = in.ints(count, count, "block CRCs");
        firstSample[count] = samples;
        offset512[count] = (int) (shardBytes >>> 9);
        int[] subStart = subStarts(offset512, subBlockBytes);
        int sample = 0;
        for (int block = 0; block < count; block++) {
            while (sample < samples && Integer.compareUnsigned(sampleOffset512[sample], offset512[block]) < 0) {
                sample++;
            }
            if (firstSample[block] != sample) {
                throw in.corrupt("first sample of block " + block + " is " + sample + ", not " + firstSample[block]);
            }
        }
        int[] subCrcs = in.ints(subStart[count], subStart[count], "sub-block CRCs");
        return new BlockTable(
                targetBytes,
                subBlockBytes,
                IntBuffer.wrap(firstSample),
                IntBuffer.wrap(offset512),
                IntBuffer.wrap(crc32c),
                IntBuffer.wrap(subStart),
                IntBuffer.wrap(subCrcs));
    }

    private int[] subStarts(int[] offset512, int subBlockBytes) throws CorruptFormatException {
        int count = offset512.length - 1;
        int[] subStart = new int[count + 1];
        if (offset512[0] != 0) {
            throw in.corrupt("the first block does not begin at 0");
        }
        for (int block = 0; block < count; block++) {
            long length =
                    (Integer.toUnsignedLong(offset512[block + 1]) - Integer.toUnsignedLong(offset512[block])) << 9;
            if (length <= 0 || length > BlockCutter.MAX_BLOCK_BYTES) {
                throw in.corrupt("length of block " + block + " is out of range: " + length);
            }
            int subBlocks = (int) ((length + subBlockBytes - 1) / subBlockBytes);
            subStart[block + 1] = Math.addExact(subStart[block], subBlocks);
        }
        return subStart;
    }
}
