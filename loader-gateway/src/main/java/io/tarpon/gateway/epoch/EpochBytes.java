package io.tarpon.gateway.epoch;

import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.SparseSums;
import io.tarpon.wire.tar.Ustar;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/// The bytes of an epoch's body: its samples, one behind the other, and two zero blocks. Any range of them, from the
/// length of each sample; nothing is kept for a sample.
///
/// Threads: any; each iterator belongs to one.
final class EpochBytes {
    private final SplitLayout layout;
    private final Projection projection;
    private final EpochOrder order;
    private final Partition partition;

    EpochBytes(SplitLayout layout, Projection projection, EpochOrder order, Partition partition) {
        this.layout = layout;
        this.projection = projection;
        this.order = order;
        this.partition = partition;
    }

    /// Samples in the body.
    long samples() {
        return partition.samples();
    }

    /// The byte length of the i-th sample of the body. For one thread.
    LongUnaryOperator lengths() {
        var reader = order.reader();
        return sample -> projection.length(layout, reader.applyAsLong(partition.position(sample)));
    }

    /// Where every sample begins is known.
    Content content(SparseSums sums) {
        return Content.atHand(sums.total() + Ustar.END_BYTES, (from, to) -> {
            if (from >= sums.total()) {
                return new Samples(samples(), from - sums.total(), to - from, this::samples);
            }
            var place = sums.place(from, lengths());
            LongSupplier end = () -> to >= sums.total()
                    ? samples()
                    : sums.place(to - 1, lengths()).sample() + 1;
            return new Samples(place.sample(), place.offset(), to - from, end);
        });
    }

    /// Only the length of them all is known, so it can only be read from its beginning.
    Content contentFromStart(long length) {
        return Content.atHand(length + Ustar.END_BYTES, (from, to) -> {
            if (from > 0) {
                throw new IllegalStateException("byte " + from + " of an epoch without sums");
            }
            return new Samples(0, 0, to, this::samples);
        });
    }

    final class Samples implements Iterator<Segment> {
        private final LongUnaryOperator reader = order.reader();
        private final Deque<Segment> ready = new ArrayDeque<>();
        private final long count = samples();
        private final LongSupplier end;
        private final AtomicLong handedOut;
        private long sample;
        private long skip;
        private long left;

        /// @param skip bytes of the first sample, or of the zero blocks where there is none, to pass over
        /// @param left bytes to give
        /// @param end the sample behind the last one of them
        Samples(long sample, long skip, long left, LongSupplier end) {
            this.sample = sample;
            this.skip = skip;
            this.left = left;
            this.end = end;
            this.handedOut = new AtomicLong(sample);
        }

        /// The blocks these samples come from, to be looked at before their turn by another thread.
        BlocksAhead ahead() {
            return new BlocksAhead(layout, projection, this::ordinals, handedOut, end);
        }

        private LongUnaryOperator ordinals() {
            var own = order.reader();
            return of -> own.applyAsLong(partition.position(of));
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public Segment next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the range ends here");
            }
            while (true) {
                var segment = nextSegment();
                if (skip >= segment.length()) {
                    skip -= segment.length();
                } else {
                    var taken = segment.slice(skip, Math.min(segment.length(), skip + left));
                    skip = 0;
                    left -= taken.length();
                    return taken;
                }
            }
        }

        private Segment nextSegment() {
            if (ready.isEmpty() && sample < count) {
                var ordinal = reader.applyAsLong(partition.position(sample++));
                handedOut.lazySet(sample);
                projection.segments(layout.sample(ordinal), ready);
            } else if (ready.isEmpty()) {
                return Segment.Literal.of(Ustar.end());
            }
            return ready.remove();
        }
    }
}
