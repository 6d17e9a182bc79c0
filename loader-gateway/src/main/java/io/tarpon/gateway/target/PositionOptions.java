package io.tarpon.gateway.target;

import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.gateway.order.Stretch;
import io.tarpon.wire.http.TarponException;

/// What the query of an epoch's positions says.
///
/// @param from the first position, from 0
/// @param to behind the last one, cut at the end of the split
public record PositionOptions(long from, long to, Shuffle shuffle) {
    /// The most positions in one answer.
    public static final long MOST = 10_000;

    public PositionOptions {
        Share.notNegative("from", from);
        if (to < from) {
            throw TarponException.badParameter("to " + to + " is before from " + from + "; to is exclusive");
        }
    }

    /// As many positions from there as one answer has.
    public static PositionOptions page(long from, Shuffle shuffle) {
        return new PositionOptions(from, from > Long.MAX_VALUE - MOST ? Long.MAX_VALUE : from + MOST, shuffle);
    }

    /// Which positions of a split these are.
    ///
    /// @param samples of the split
    /// @throws TarponException `bad-parameter` where they begin behind its end, or are too many
    public Stretch stretch(long samples) {
        if (from > samples) {
            throw TarponException.badParameter("from " + from + " is beyond the end: the split has " + samples
                    + " samples; begin at " + samples + " or before");
        }
        var count = Math.min(to, samples) - from;
        if (count > MOST) {
            throw TarponException.badParameter("from " + from + " to " + to + " are " + count + " positions, more than "
                    + MOST + " in one answer; ask for to=" + (from + MOST) + " and go on from there");
        }
        return new Stretch(from, count);
    }
}
