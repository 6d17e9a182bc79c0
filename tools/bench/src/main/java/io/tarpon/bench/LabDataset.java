package io.tarpon.bench;

/// A dataset that a lab is to have: files of that mean size, a sample each.
///
/// @param shardBytes that shards are cut at
/// @param served whether nginx has its shards as files, too
record LabDataset(String name, int files, int meanBytes, long shardBytes, boolean served) {
    /// Bytes of all its files, about.
    long bytes() {
        return (long) files * meanBytes;
    }

    /// A shard's size: so that even the little data of a quick run are several.
    static long shardBytes(BenchSettings settings) {
        return settings.quick() ? 32L << 20 : 256L << 20;
    }
}
