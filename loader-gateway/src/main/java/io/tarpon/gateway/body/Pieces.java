package io.tarpon.gateway.body;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The pieces of a body: its segments, cut at the borders of blocks, one at a time. For one thread.
public final class Pieces implements Iterator<Piece> {
    private final Iterator<? extends Segment> segments;
    private Segment.@Nullable Literal literal;

    /// What is left of the segment in work: bytes of this shard from `position` to `end`.
    private @Nullable LaidOutShard shard;

    private long position;
    private long end;

    /// The sample whose bytes are those from `position` on, all of them, while none of them is cut; or -1.
    private int sample;

    private boolean endsSample;

    /// @param segments in order
    public Pieces(Iterator<? extends Segment> segments) {
        this.segments = segments;
    }

    @Override
    public boolean hasNext() {
        while (literal == null && position == end && segments.hasNext()) {
            begin(segments.next());
        }
        return literal != null || position < end;
    }

    @Override
    public Piece next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the body ends here");
        }
        var bytes = literal;
        literal = null;
        return bytes == null ? cut(Objects.requireNonNull(shard)) : new Piece.OfLiteral(bytes);
    }

    private void begin(Segment segment) {
        switch (segment) {
            case Segment.Literal bytes -> literal = bytes.length() == 0 ? null : bytes;
            case Segment.ShardRange range -> begin(range, -1, range.endsSample());
            case Segment.WholeSample whole -> begin(whole, whole.sample(), true);
        }
    }

    private void begin(Segment.InShard range, int ofSample, boolean ends) {
        shard = range.laidOut();
        position = range.from();
        end = position + range.length();
        sample = ofSample;
        endsSample = ends;
    }

    private Piece cut(LaidOutShard of) {
        var layout = of.layout();
        var number = layout.blockAt(position);
        var block = layout.block(number);
        var to = Math.min(block.end(), end);
        var piece = new Piece.OfBlock(
                of.shard(),
                layout,
                number,
                of.blockId(number),
                (int) (position - block.offset()),
                (int) (to - block.offset()),
                to == end ? sample : -1,
                endsSample && to == end);
        position = to;
        sample = -1;
        return piece;
    }
}
