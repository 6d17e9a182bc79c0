package io.tarpon.gateway.order;

import java.nio.LongBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;

/// Where the samples of a body begin: the sum of the lengths before every 1024th sample. 8 bytes for 1024 samples
/// (781 KB for 100 million); what lies between is summed again from the lengths when it is asked for. Immutable.
///
/// `lengths` is everywhere the same function: the byte length of the i-th sample of the body, at least 1.
public final class SparseSums {
    /// Samples from one mark to the next.
    public static final int EVERY = 1024;

    /// More would not fit an array of bytes.
    static final long MOST_SAMPLES = (long) (Integer.MAX_VALUE - 64) / Long.BYTES * EVERY;

    private final long samples;
    private final long total;
    private final LongBuffer marks;

    /// @param marks bytes before samples 0, 1024, 2048, …; belongs to the sums from now on
    SparseSums(long samples, long total, LongBuffer marks) {
        this.samples = samples;
        this.total = total;
        this.marks = marks;
    }

    public static SparseSums of(long samples, LongUnaryOperator lengths) {
        return of(samples, lengths, () -> false).orElseThrow();
    }

    /// Sums in one pass, in ascending order, so that a reader of an [EpochOrder] may be behind the lengths.
    ///
    /// @param cancelled asked before every 1024 samples; once true, there is no result
    public static Optional<SparseSums> of(long samples, LongUnaryOperator lengths, BooleanSupplier cancelled) {
        var builder = new SparseSumsBuilder(samples);
        for (long sample = 0; sample < samples; sample++) {
            if (sample % EVERY == 0 && cancelled.getAsBoolean()) {
                return Optional.empty();
            }
            builder.add(lengths.applyAsLong(sample));
        }
        return Optional.of(builder.build());
    }

    public long samples() {
        return samples;
    }

    /// The length of all samples.
    public long total() {
        return total;
    }

    /// The first byte of a sample; of the sample behind the last one, [#total].
    public long start(long sample, LongUnaryOperator lengths) {
        Objects.checkIndex(sample, samples + 1);
        if (sample == samples) {
            return total;
        }
        var at = marks.get((int) (sample / EVERY));
        for (long before = sample / EVERY * EVERY; before < sample; before++) {
            at += lengths.applyAsLong(before);
        }
        return at;
    }

    /// Which sample a byte lies in.
    ///
    /// @param at from 0 to [#total], exclusive
    public Place place(long at, LongUnaryOperator lengths) {
        Objects.checkIndex(at, total);
        var mark = markAt(at);
        var end = Math.min(samples, (mark + 1L) * EVERY);
        var offset = at - marks.get(mark);
        for (var sample = (long) mark * EVERY; sample < end; sample++) {
            var length = lengths.applyAsLong(sample);
            if (offset < length) {
                return new Place(sample, offset);
            }
            offset -= length;
        }
        throw new IllegalStateException(
                "these are not the lengths that were summed: samples before " + end + " end at byte " + (at - offset));
    }

    /// Bytes of the marks: 8 for each.
    public long markBytes() {
        return (long) marks.limit() * Long.BYTES;
    }

    /// Copies the marks into `memory`, from its position on.
    public void copyMarks(LongBuffer memory) {
        memory.put(marks.duplicate());
    }

    /// The same sums over a copy of their marks, which they use from now on instead of their own.
    ///
    /// @param copy what [#copyMarks] put, from 0 to the limit; the caller keeps it as it is
    public SparseSums over(LongBuffer copy) {
        return new SparseSums(samples, total, copy.slice(0, marks.limit()));
    }

    /// The last mark at or before a byte.
    private int markAt(long at) {
        int low = 0;
        int high = marks.limit() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (marks.get(middle) <= at) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    static int marksOf(long samples) {
        return (int) ((samples + EVERY - 1) / EVERY);
    }
}
