package io.tarpon.gateway;

import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.epoch.EpochOrder;
import io.tarpon.gateway.epoch.Partition;
import io.tarpon.gateway.epoch.SparseSums;
import io.tarpon.wire.tar.Ustar;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
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
        return new Content(sums.total() + Ustar.END_BYTES, (from, to) -> {
            if (from >= sums.total()) {
                return new Samples(samples(), from - sums.total(), to - from);
            }
            var place = sums.place(from, lengths());
            return new Samples(place.sample(), place.offset(), to - from);
        });
    }

    /// Only the length of them all is known, so it can only be read from its beginning.
    Content contentFromStart(long length) {
        return new Content(length + Ustar.END_BYTES, (from, to) -> {
            if (from > 0) {
                throw new IllegalStateException("byte " + from + " of an epoch without sums");
            }
            return new Samples(0, 0, to);
        });
    }

    private final class Samples implements Iterator<Segment> {
        private final LongUnaryOperator reader = order.reader();
        private final Deque<Segment> ready = new ArrayDeque<>();
        private final long count = samples();
        private long sample;
        private long skip;
        private long left;

        /// @param skip bytes of the first sample, or of the zero blocks where there is none, to pass over
        /// @param left bytes to give
        Samples(long sample, long skip, long left) {
            this.sample = sample;
            this.skip = skip;
            this.left = left;
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
                projection.segments(layout.sample(ordinal), ready);
            } else if (ready.isEmpty()) {
                return Segment.Literal.of(Ustar.end());
            }
            return ready.remove();
        }
    }
}
