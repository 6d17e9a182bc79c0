package io.tarpon.block;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreVisitor;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A real store that counts what is opened, and whose shard streams stop, break or lie where a test orders it.
final class FaultyStore implements ObjectStore {
    final AtomicInteger opens = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();

    /// All that was taken out of it, indexes too.
    final AtomicLong bytes = new AtomicLong();

    private final ObjectStore store;
    private volatile long faultAt = Long.MAX_VALUE;
    private volatile Fault fault = Fault.BREAK;
    private final AtomicInteger faultsLeft = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /// What a shard stream does at the ordered byte.
    enum Fault {
        /// Throws.
        BREAK,
        /// Ends without a word.
        END,
        /// Goes on with a flipped bit.
        LIE,
        /// Waits for [#openGate].
        WAIT
    }

    FaultyStore(ObjectStore store) {
        this.store = store;
    }

    /// The next `times` streams do it at byte `at` of what is read from them.
    void order(Fault what, long at, int times) {
        if (what == Fault.WAIT) {
            gate = new CountDownLatch(1);
        }
        fault = what;
        faultAt = at;
        faultsLeft.set(times);
    }

    void openGate() {
        gate.countDown();
    }

    @Override
    public OptionalLong size(String key) throws IOException {
        return store.size(key);
    }

    @Override
    public InputStream open(String key, long offset, long lengthBytes) throws IOException {
        opens.incrementAndGet();
        var in = new Counted(store.open(key, offset, lengthBytes));
        if (faultsLeft.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            return in;
        }
        return new Faulty(in, faultAt, fault);
    }

    @Override
    public byte[] read(String key, int maxBytes) throws IOException {
        reads.incrementAndGet();
        var read = store.read(key, maxBytes);
        bytes.addAndGet(read.length);
        return read;
    }

    @Override
    public void write(String key, byte[] bytes) throws IOException {
        store.write(key, bytes);
    }

    @Override
    public Upload upload(String key) throws IOException {
        return store.upload(key);
    }

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        store.list(prefix, visitor);
    }

    @Override
    public void delete(String key) throws IOException {
        store.delete(key);
    }

    @Override
    public void abandoned(Duration olderThan, AbandonedVisitor visitor) throws IOException {
        store.abandoned(olderThan, visitor);
    }

    @Override
    public void abandon(AbandonedUpload upload) throws IOException {
        store.abandon(upload);
    }

    @Override
    public void close() {
        openGate();
        store.close();
    }

    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            var count = super.read(target, offset, length);
            bytes.addAndGet(Math.max(0, count));
            return count;
        }
    }

    private final class Faulty extends FilterInputStream {
        private final Fault what;
        private long left;

        Faulty(InputStream in, long at, Fault what) {
            super(in);
            this.left = at;
            this.what = what;
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
                if (!gate.await(60, TimeUnit.SECONDS)) {
                    throw new IOException("nobody opened the gate");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
