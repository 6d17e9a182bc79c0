package io.tarpon.wire.index;

/// The rule by which a shard is cut into blocks, fed with the lengths of its samples in order. A block is a run of
/// whole samples up to the target; a sample over the target begins a block of its own and is cut at multiples of the
/// target from its start, and its last piece stays open for the samples that follow. Pure: the same lengths give the
/// same cuts, in every build.
public final class BlockCutter {
    /// Target of every shard written now, in bytes.
    public static final int TARGET_BYTES = 8 << 20;

    /// No block is larger, in any version of the rule.
    public static final int MAX_BLOCK_BYTES = 16 << 20;

    private static final long[] NONE = {};

    private final int targetBytes;
    private long position;
    private long openBytes;

    public BlockCutter() {
        this(TARGET_BYTES);
    }

    /// @param targetBytes a multiple of 512, at most 8 MiB so that what the end of a shard adds always fits
    public BlockCutter(int targetBytes) {
        if (targetBytes < 512 || targetBytes > TARGET_BYTES || targetBytes % 512 != 0) {
            throw new IllegalArgumentException("block target out of range: " + targetBytes);
        }
        this.targetBytes = targetBytes;
    }

    /// Adds the next sample, of `sampleBytes` tar bytes, and returns the shard offsets, ascending, at which a block
    /// ends because of it.
    public long[] add(long sampleBytes) {
        if (sampleBytes <= 0 || sampleBytes % 512 != 0) {
            throw new IllegalArgumentException("sample length is not a positive multiple of 512: " + sampleBytes);
        }
        boolean before = openBytes > 0 && openBytes + sampleBytes > targetBytes;
        long start = position;
        position += sampleBytes;
        if (!before && openBytes + sampleBytes <= targetBytes) {
            openBytes += sampleBytes;
            return NONE;
        }
        int inside = Math.toIntExact((sampleBytes - 1) / targetBytes);
        long[] cuts = new long[(before ? 1 : 0) + inside];
        int first = before ? 0 : 1;
        for (int i = 0; i < cuts.length; i++) {
            cuts[i] = start + (long) (first + i) * targetBytes;
        }
        openBytes = sampleBytes - (long) inside * targetBytes;
        return cuts;
    }
}
