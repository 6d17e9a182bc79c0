package io.tarpon.shard.assembly;

import io.tarpon.wire.tar.Ustar;

/// How much one process may read at once and hold, for all shards that are in work together.
///
/// @param readers members read at a time, 1 to 256
/// @param readAheadBytes buffers between readers and writers, at least 128 KiB a reader, at most 1 GiB
/// @param shards in work at a time, 1 to 16; each may use as many of the buffers as the others
public record AssemblyLimits(int readers, long readAheadBytes, int shards) {
    /// Largest piece of a tar in one buffer. What fits is read whole; more per read saves nothing any more.
    static final int MAX_SEGMENT_BYTES = 1 << 20;

    private static final int MIN_SEGMENT_BYTES = 64 << 10;
    private static final int MAX_READERS = 256;
    private static final int MAX_SHARDS = 16;
    private static final long MAX_READ_AHEAD_BYTES = 1L << 30;

    public AssemblyLimits {
        if (readers < 1 || readers > MAX_READERS) {
            throw new IllegalArgumentException("tarpon.shard.readers is 1 to " + MAX_READERS + ", not " + readers);
        }
        if (shards < 1 || shards > MAX_SHARDS) {
            throw new IllegalArgumentException("tarpon.shard.parallel is 1 to " + MAX_SHARDS + ", not " + shards);
        }
        long least = 2L * MIN_SEGMENT_BYTES * Math.max(readers, shards);
        if (readAheadBytes < least || readAheadBytes > MAX_READ_AHEAD_BYTES) {
            throw new IllegalArgumentException("tarpon.shard.read-ahead is " + least + " to " + MAX_READ_AHEAD_BYTES
                    + " bytes for " + readers + " readers of " + shards + " shards, not " + readAheadBytes);
        }
    }

    /// Buffer size, such that each reader can fill one while another of its own waits for the writer.
    int segmentBytes() {
        long share = readAheadBytes / (2L * Math.max(readers, shards)) / Ustar.BLOCK_BYTES * Ustar.BLOCK_BYTES;
        return (int) Math.min(MAX_SEGMENT_BYTES, share);
    }

    /// Buffers that one shard uses at most; two at least.
    int window() {
        return (int) (readAheadBytes / segmentBytes() / shards);
    }
}
