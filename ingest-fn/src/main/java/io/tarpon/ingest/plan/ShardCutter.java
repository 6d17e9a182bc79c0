package io.tarpon.ingest.plan;

/// Says of each sample of a split, in order, which shard it goes to. Cuts where the bytes so far come nearest
/// to an even share, so that a shard misses it by no more than one sample; no shard is empty. For one thread.
public final class ShardCutter {
    private final long samples;
    private final ShardCount count;
    private final long ordinaryBytes;
    private long sampleNumber;
    private long bytesBefore;
    private int shard = -1;

    /// @param load what is going to come: exactly these samples
    public ShardCutter(ShardCount.Load load, ShardCount count) {
        this.samples = load.samples();
        this.count = count;
        this.ordinaryBytes = count.oversized() == 0 ? load.bytes() : load.bytes() - load.oversizedBytes();
    }

    /// The shard of the next sample: that of the last one, or the one after it.
    public int next(long tarBytes) {
        long left = samples - sampleNumber;
        if (left <= 0) {
            throw new IllegalStateException("more samples than the " + samples + " that were counted");
        }
        if (shard < 0 || left <= count.total() - 1L - shard || pastEvenShare(tarBytes)) {
            shard++;
        }
        sampleNumber++;
        bytesBefore += tarBytes;
        return shard;
    }

    /// Whether more than half of the sample lies beyond the even share of the shards so far.
    private boolean pastEvenShare(long tarBytes) {
        long next = shard + 1L;
        if (next >= count.ordinary()) {
            return false;
        }
        long even =
                ordinaryBytes / count.ordinary() * next + ordinaryBytes % count.ordinary() * next / count.ordinary();
        return bytesBefore + tarBytes / 2 >= even;
    }
}
