package io.tarpon.gateway.order;

import io.tarpon.wire.http.TarponException;
import java.util.Objects;
import java.util.Optional;

/// A [Share] of a split of N samples: which positions are in its body, in which order, and what its headers say.
///
/// With `n` positions from `start` to the end (of `count`, or of the split) and `q` = position - start: step
/// floor(q / (world * batch)) takes one batch for each rank, rank floor(q / batch) mod world the q-th sample. A rank's
/// batch number is the step's number; worker k of W takes the batches whose number mod W is k. The tail says which q
/// there are: to the last full step (`drop`), to n (`keep`), or to the next full step (`pad`), where q >= n stands for
/// q - n. So whoever takes a batch from each worker in turn, and passes over those at their end, has the rank's order.
/// Immutable; no arithmetic here overflows.
public final class Partition {
    private final Share share;
    private final long positions;
    private final long used;
    private final long padded;
    private final long own;

    /// @param samples of the split, N
    /// @throws TarponException `bad-parameter` where the share does not fit them
    public Partition(Share share, long samples) {
        if (samples < 0) {
            throw new IllegalArgumentException("negative samples " + samples);
        }
        if (share.start() > samples) {
            throw TarponException.badParameter("start " + share.start() + " is beyond the end: the split has " + samples
                    + " samples; begin at " + samples + " or before");
        }
        this.share = share;
        this.positions = Math.min(share.count(), samples - share.start());
        var over = positions % share.stepPositions();
        this.padded = share.tail() == Tail.PAD && over > 0 ? padding(share, positions, over) : 0;
        this.used = share.tail() == Tail.DROP ? positions - over : positions;
        this.own = samplesBefore(used + padded);
    }

    private static long padding(Share share, long positions, long over) {
        var step = share.stepPositions();
        if (positions < step) {
            throw TarponException.badParameter("tail=pad needs at least world * batch = " + step
                    + " positions to repeat, there are " + positions
                    + " from start; use tail=keep or tail=drop, or a smaller batch");
        }
        if (positions > Long.MAX_VALUE - step) {
            throw TarponException.badParameter("tail=pad would count beyond 2^63; use a smaller count");
        }
        return step - over;
    }

    public Share share() {
        return share;
    }

    /// How many samples this body has.
    public long samples() {
        return own;
    }

    /// The position of the i-th sample of this body, from 0.
    public long position(long sample) {
        return unchecked(Objects.checkIndex(sample, own));
    }

    /// The lowest and highest position in this body; empty where it has none.
    public Optional<Span> span() {
        if (own == 0) {
            return Optional.empty();
        }
        // Positions ascend, but for those that are repeated, which ascend too.
        var once = samplesBefore(positions);
        var lowest = once > 0 && once < own ? Math.min(unchecked(0), unchecked(once)) : unchecked(0);
        return Optional.of(new Span(lowest, unchecked(once > 0 && once < own ? once - 1 : own - 1)));
    }

    /// The position that follows when every rank has taken its body: where to start next.
    public long cursor() {
        return share.start() + used;
    }

    /// The position that follows when every rank has taken that many steps.
    public long cursorAfter(long steps) {
        if (steps < 0) {
            throw new IllegalArgumentException("negative steps " + steps);
        }
        var step = share.stepPositions();
        return steps <= used / step ? share.start() + steps * step : cursor();
    }

    /// Positions left out, over all ranks.
    public long dropped() {
        return positions - used;
    }

    /// Samples repeated, over all ranks.
    public long padded() {
        return padded;
    }

    /// Steps in which at least one rank has a sample. Equal for all ranks and workers.
    public long steps() {
        return PieceCuts.ceiling(used + padded, share.stepPositions());
    }

    /// The rank's positions in consecutive parts, see [PieceCuts].
    public PieceCuts pieces(int pieces) {
        return new PieceCuts(this, new Stretch(share.start(), positions), pieces);
    }

    /// How many samples of this body have q below a limit.
    private long samplesBefore(long limit) {
        var step = share.stepPositions();
        var batches = limit / step;
        var inLast = Math.clamp(limit % step - (long) share.rank() * share.batch(), 0L, (long) share.batch());
        var full = batches / share.workers() + (batches % share.workers() > share.worker() ? 1 : 0);
        return full * share.batch() + (batches % share.workers() == share.worker() ? inLast : 0);
    }

    private long unchecked(long sample) {
        var batch = sample / share.batch() * share.workers() + share.worker();
        var q = batch * share.stepPositions() + (long) share.rank() * share.batch() + sample % share.batch();
        return share.start() + (q < positions ? q : q - positions);
    }
}
