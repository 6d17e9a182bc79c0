package io.tarpon.gateway.order;

import java.nio.LongBuffer;

/// Sums lengths as they come, for callers that gather them in batches and may stop between two. One thread.
public final class SparseSumsBuilder {
    private final long samples;
    private final long[] marks;
    private long added;
    private long total;

    /// @param samples how many lengths will come
    public SparseSumsBuilder(long samples) {
        if (samples < 0 || samples > SparseSums.MOST_SAMPLES) {
            throw new IllegalArgumentException("cannot sum " + samples + " samples");
        }
        this.samples = samples;
        this.marks = new long[SparseSums.marksOf(samples)];
    }

    /// @param length of the next sample, at least 1
    /// @throws ArithmeticException where the sum passes 2^63
    public void add(long length) {
        if (length < 1 || added == samples) {
            throw new IllegalArgumentException("length " + length + " of sample " + added + " of " + samples);
        }
        if (added % SparseSums.EVERY == 0) {
            marks[(int) (added / SparseSums.EVERY)] = total;
        }
        total = Math.addExact(total, length);
        added++;
    }

    /// The sums, after the last length. Once.
    public SparseSums build() {
        if (added != samples) {
            throw new IllegalStateException(added + " lengths of " + samples + " were added");
        }
        return new SparseSums(samples, total, LongBuffer.wrap(marks));
    }
}
