package io.tarpon.gateway.batch;

import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/// The tar of a batch: its samples one behind the other, placeholders for those that are missing, and two zero
/// blocks. Immutable, but the arrays are not copied.
public final class BatchBytes {
    static final int MISSING = -1;
    private static final String PLACEHOLDER = "__missing__/";

    private final String version;
    private final SplitLayout layout;
    private final long[] ordinals;
    private final Projection[] projections;
    private final long samples;
    private final long length;

    /// @param version whose samples they are, `demo/v1`
    /// @param ordinals in order; [#MISSING] for a placeholder
    /// @param projections which members of each
    /// @param samples how many are no placeholders
    /// @param sampleBytes of those, in sum
    BatchBytes(
            String version,
            SplitLayout layout,
            long[] ordinals,
            Projection[] projections,
            long samples,
            long sampleBytes) {
        this.version = version;
        this.layout = layout;
        this.ordinals = ordinals;
        this.projections = projections;
        this.samples = samples;
        this.length = sampleBytes + (ordinals.length - samples) * Ustar.BLOCK_BYTES + Ustar.END_BYTES;
    }

    public String version() {
        return version;
    }

    /// Samples in it; placeholders do not count.
    public long samples() {
        return samples;
    }

    /// Of all segments in sum.
    public long length() {
        return length;
    }

    /// From the first byte to the last.
    public Iterator<Segment> segments() {
        return new Segments();
    }

    private final class Segments implements Iterator<Segment> {
        private final Deque<Segment> ready = new ArrayDeque<>();
        private int next;

        @Override
        public boolean hasNext() {
            return !ready.isEmpty() || next <= ordinals.length;
        }

        @Override
        public Segment next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the batch ends here");
            }
            if (ready.isEmpty()) {
                fill(next++);
            }
            return ready.remove();
        }

        private void fill(int entry) {
            if (entry == ordinals.length) {
                ready.add(Segment.Literal.of(Ustar.end()));
            } else if (ordinals[entry] == MISSING) {
                ready.add(Segment.Literal.of(new UstarHeader(PLACEHOLDER + entry, 0).encode()));
            } else {
                projections[entry].segments(layout.sample(ordinals[entry]), ready);
            }
        }
    }
}
