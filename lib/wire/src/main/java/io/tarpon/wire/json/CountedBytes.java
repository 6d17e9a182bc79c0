package io.tarpon.wire.json;

import java.io.OutputStream;

/// Counts what is written, and keeps nothing of it.
final class CountedBytes extends OutputStream {
    private long count;

    long count() {
        return count;
    }

    @Override
    public void write(int one) {
        count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        count += length;
    }
}
