package io.tarpon.gateway.order;

import io.tarpon.wire.http.TarponException;
import java.util.Objects;

/// A rank's positions cut into consecutive pieces, each a start and a count for a URL of its own with the same tail,
/// batch, world and workers. Pieces one behind the other are the body that was cut, for a rank as for each of its
/// workers: they are cut at multiples of W steps, so that in each piece worker 0 has the first batch again. Whatever
/// the tail leaves out is at the end of the last piece. All but the last differ by at most W steps, longer ones first.
/// Immutable.
public final class PieceCuts {
    private final Stretch whole;
    private final int count;
    private final long unit;
    private final long each;
    private final long longer;

    /// @param whole what is cut: the partition's positions
    PieceCuts(Partition partition, Stretch whole, int count) {
        Share.upToMost("pieces", count);
        var share = partition.share();
        if (share.tail() == Tail.PAD) {
            throw TarponException.badParameter("pieces do not go with tail=pad, for each piece would repeat its own"
                    + " beginning; use tail=drop or tail=keep");
        }
        var units = ceiling(partition.steps(), share.workers());
        if (count > units) {
            throw TarponException.badParameter("pieces " + count + " is too many: from start " + share.start()
                    + " there are " + partition.steps() + " steps of world * batch = " + share.stepPositions()
                    + ", cut at multiples of workers " + share.workers() + "; at most " + units
                    + (units == 0 ? ", leave pieces out" : ""));
        }
        this.whole = whole;
        this.count = count;
        this.unit = share.stepPositions() * share.workers();
        this.each = units / count;
        this.longer = units % count;
    }

    public int count() {
        return count;
    }

    /// The positions of a piece, from 0.
    public Stretch piece(int number) {
        Objects.checkIndex(number, count);
        var start = start(number);
        var end = number + 1 < count ? start(number + 1) : whole.start() + whole.count();
        return new Stretch(start, end - start);
    }

    private long start(int number) {
        return whole.start() + (number * each + Math.min(number, longer)) * unit;
    }

    static long ceiling(long value, long by) {
        return value / by + (value % by == 0 ? 0 : 1);
    }
}
