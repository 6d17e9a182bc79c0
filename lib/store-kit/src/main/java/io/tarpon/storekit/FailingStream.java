package io.tarpon.storekit;

import io.tarpon.storekit.FailingStore.StreamFault;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Does what was ordered at one byte of it, once.
final class FailingStream extends FilterInputStream {
    private static final long LONGEST_WAIT_SECONDS = 60;

    private final StreamFault what;
    private final CountDownLatch gate;

    /// Bytes up to the fault; below 0 once it is behind.
    private long left;

    FailingStream(InputStream in, StreamFault what, long at, CountDownLatch gate) {
        super(in);
        this.what = what;
        this.left = at;
        this.gate = gate;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0) {
            left = -1;
            switch (what) {
                case BREAK -> throw new IOException("ordered to break");
                case END -> {
                    left = 0;
                    return -1;
                }
                case WAIT -> await();
                case LIE -> {
                    var count = super.read(target, offset, length);
                    target[offset] ^= 1;
                    return count;
                }
            }
        }
        var most = left < 0 ? length : (int) Math.min(length, left);
        var count = super.read(target, offset, most);
        left -= left < 0 ? 0 : Math.max(0, count);
        return count;
    }

    private void await() throws IOException {
        try {
            if (!gate.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("nobody opened the gate");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
