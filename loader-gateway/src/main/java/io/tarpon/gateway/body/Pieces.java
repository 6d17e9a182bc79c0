package io.tarpon.gateway.body;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardLayout;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/// Cuts a range of a shard at the borders of its blocks, one piece at a time.
public final class Pieces implements Iterator<Piece> {
    private final SealedShard shard;
    private final ShardLayout layout;
    private final IntFunction<BlockId> blockIds;
    private final long end;
    private final int sample;
    private final boolean endsSample;
    private long position;

    private Pieces(
            SealedShard shard,
            ShardLayout layout,
            IntFunction<BlockId> blockIds,
            long from,
            long to,
            int sample,
            boolean endsSample) {
        if (layout.shardBytes() != shard.bytes()) {
            throw new IllegalArgumentException("the layout is not that of " + shard.ref());
        }
        this.shard = shard;
        this.layout = layout;
        this.blockIds = blockIds;
        this.position = from;
        this.end = to;
        this.sample = sample;
        this.endsSample = endsSample;
    }

    /// @param layout of the range's shard
    public static Pieces of(Segment.ShardRange range, ShardLayout layout) {
        var shard = range.shard();
        return new Pieces(shard, layout, shard::blockId, range.from(), range.to(), -1, false);
    }

    public static Pieces of(Segment.LaidOutRange range) {
        var shard = range.laidOut();
        return new Pieces(
                shard.shard(), shard.layout(), shard::blockId, range.from(), range.to(), -1, range.endsSample());
    }

    /// One piece where the sample lies in one block.
    public static Pieces of(Segment.WholeSample sample) {
        var shard = sample.laidOut();
        var from = sample.from();
        return new Pieces(
                shard.shard(), shard.layout(), shard::blockId, from, from + sample.length(), sample.sample(), true);
    }

    @Override
    public boolean hasNext() {
        return position < end;
    }

    @Override
    public Piece next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the range ends at " + end);
        }
        var number = layout.blockAt(position);
        var block = layout.block(number);
        var to = Math.min(block.end(), end);
        var isWhole = sample >= 0 && position == layout.sampleOffset(sample) && to == end;
        var piece = new Piece.OfBlock(
                shard,
                layout,
                number,
                blockIds.apply(number),
                (int) (position - block.offset()),
                (int) (to - block.offset()),
                isWhole ? sample : -1,
                endsSample && to == end);
        position = to;
        return piece;
    }
}
