package io.tarpon.store.s3;

import io.tarpon.store.S3Config;

/// How large each part of a multipart upload is. S3 takes 10,000 parts; a size that doubles now and then lets them
/// hold 3.9 TiB with the defaults, while an ordinary shard is written in small memory.
///
/// @param firstBytes size of the first parts
/// @param growthEvery so many parts have one size, the next so many twice that, up to [#MAX_BYTES]
public record PartSizes(int firstBytes, int growthEvery) {
    /// Number of parts S3 takes.
    public static final int MAX_PARTS = 10_000;

    /// What one Java array holds with room to spare; S3 itself takes 5 GiB.
    public static final int MAX_BYTES = 1 << 30;

    public PartSizes {
        if (firstBytes < 1 || firstBytes > MAX_BYTES || growthEvery < 1) {
            throw new IllegalArgumentException("part sizes: first=" + firstBytes + " growthEvery=" + growthEvery);
        }
    }

    public static PartSizes of(S3Config config) {
        return new PartSizes(config.partBytes(), config.partGrowthEvery());
    }

    /// @param number from 1
    int bytesOfPart(int number) {
        int doublings = Math.min((number - 1) / growthEvery, 30);
        return (int) Math.min((long) firstBytes << doublings, MAX_BYTES);
    }
}
