package io.tarpon.storekit;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/// Adds what is read from it to a sum.
final class CountedStream extends FilterInputStream {
    private final AtomicLong sum;

    CountedStream(InputStream in, AtomicLong sum) {
        super(in);
        this.sum = sum;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        var count = super.read(target, offset, length);
        sum.addAndGet(Math.max(0, count));
        return count;
    }
}
