package io.tarpon.gateway.body;

import io.tarpon.wire.index.ShardLayout;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// Cuts a range of a shard at the borders of its blocks, one piece at a time.
public final class Pieces implements Iterator<Piece> {
    private final Segment.ShardRange range;
    private final ShardLayout layout;
    private long position;

    /// @param layout of the range's shard
    public Pieces(Segment.ShardRange range, ShardLayout layout) {
        if (layout.shardBytes() != range.shard().bytes()) {
            throw new IllegalArgumentException(
                    "the layout is not that of " + range.shard().ref());
        }
        this.range = range;
        this.layout = layout;
        this.position = range.from();
    }

    @Override
    public boolean hasNext() {
        return position < range.to();
    }

    @Override
    public Piece next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the range ends at " + range.to());
        }
        var block = layout.block(layout.blockAt(position));
        var end = Math.min(block.end(), range.to());
        var piece = Piece.OfBlock.of(
                range.shard(), layout, block.number(), (int) (position - block.offset()), (int) (end - block.offset()));
        position = end;
        return piece;
    }
}
