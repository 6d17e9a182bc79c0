package io.tarpon.gateway.catalog;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.order.SampleGroups;
import io.tarpon.wire.index.BlockCutter;
import java.util.Arrays;
import java.util.List;

/// Where every sample of a sealed split is: the layouts of all its shards. Ordinals count through the shards in order.
/// Immutable.
public final class SplitLayout {
    private final LaidOutShard[] shards;
    private final long[] firstSample;
    private final int[] firstBlock;
    private final long[] firstOfBlocks;
    private final long samples;
    private final long bytes;
    private final long fileBytes;

    /// @param shards in order, at least one
    public SplitLayout(List<LaidOutShard> shards) {
        this(shards, 0);
    }

    /// @param shards in order, at least one
    /// @param fileBytes of their columns that are in files
    SplitLayout(List<LaidOutShard> shards, long fileBytes) {
        this.fileBytes = fileBytes;
        this.shards = shards.toArray(LaidOutShard[]::new);
        this.firstSample = new long[shards.size()];
        this.firstBlock = new int[shards.size() + 1];
        long next = 0;
        long sum = 0;
        for (int i = 0; i < this.shards.length; i++) {
            firstSample[i] = next;
            next += this.shards[i].layout().sampleCount();
            sum += this.shards[i].layout().samplesEnd();
            firstBlock[i + 1] = firstBlock[i] + this.shards[i].layout().blockCount();
        }
        this.samples = next;
        this.bytes = sum;
        this.firstOfBlocks = firstOfBlocks();
    }

    /// A sample of the split.
    ///
    /// @param inside its ordinal in the shard
    public record Sample(LaidOutShard shard, int inside) {}

    public long samples() {
        return samples;
    }

    LaidOutShard shard(int number) {
        return shards[number];
    }

    public Sample sample(long ordinal) {
        var shard = shardOf(ordinal);
        return new Sample(shards[shard], (int) (ordinal - firstSample[shard]));
    }

    /// Blocks of all shards.
    public int blocks() {
        return firstBlock[shards.length];
    }

    /// Blocks of the shards before that of a sample.
    public int blocksBefore(long ordinal) {
        return firstBlock[shardOf(ordinal)];
    }

    /// Tar bytes of a sample.
    public long length(long ordinal) {
        var shard = shardOf(ordinal);
        return shards[shard].layout().sampleLength((int) (ordinal - firstSample[shard]));
    }

    /// Tar bytes of all samples.
    public long length() {
        return bytes;
    }

    /// The shards, for an order.
    public SampleGroups shardGroups() {
        return SampleGroups.of(firstSample, samples);
    }

    /// The blocks in which a sample begins, for an order.
    public SampleGroups blockGroups() {
        return SampleGroups.of(firstOfBlocks, samples);
    }

    /// How the blocks were cut, for what depends on it: nothing where all of them were cut as they are today, else the
    /// targets in bytes, each with the number of shards in a row that have it.
    public String blockCut() {
        var cut = new StringBuilder();
        var isUsual = true;
        for (int i = 0; i < shards.length; ) {
            var target = shards[i].layout().blockTargetBytes();
            var first = i;
            while (i < shards.length && shards[i].layout().blockTargetBytes() == target) {
                i++;
            }
            isUsual &= target == BlockCutter.TARGET_BYTES;
            cut.append(' ').append(target).append('x').append(i - first);
        }
        return isUsual ? "" : cut.toString();
    }

    /// Bytes this holds on the heap, to within a few percent.
    public long memoryBytes() {
        long sum = 256 + 20L * shards.length + 8L * firstOfBlocks.length;
        for (var shard : shards) {
            sum += shard.memoryBytes();
        }
        return sum;
    }

    /// Bytes of its columns in files.
    public long fileBytes() {
        return fileBytes;
    }

    private int shardOf(long ordinal) {
        var found = Arrays.binarySearch(firstSample, ordinal);
        return found < 0 ? -found - 2 : found;
    }

    private long[] firstOfBlocks() {
        var firsts = new long[blocks()];
        var count = 0;
        for (int i = 0; i < shards.length; i++) {
            var layout = shards[i].layout();
            for (int number = 0; number < layout.blockCount(); number++) {
                var block = layout.block(number);
                if (block.samples() > 0) {
                    firsts[count++] = firstSample[i] + block.firstSample();
                }
            }
        }
        return Arrays.copyOf(firsts, count);
    }
}
