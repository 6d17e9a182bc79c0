package io.tarpon.storekit;

import io.tarpon.store.AbandonedUpload;
import io.tarpon.store.AbandonedVisitor;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoreVisitor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A real store that counts what is asked of it, and fails, or stops the world, where a test orders it: at a step of a
/// call, or at a byte of what is read.
public final class FailingStore implements ObjectStore {
    /// Where a call may be met; those of an upload in the order in which it takes them.
    public enum Step {
        BEFORE_LIST,
        BEFORE_DELETE,
        AFTER_DELETE,
        UPLOAD_WRITE,
        BEFORE_COMPLETE,
        AFTER_COMPLETE,
        BEFORE_WRITE,
        AFTER_WRITE
    }

    /// Called at every step; may throw.
    public interface Fault {
        void at(Step step) throws IOException;
    }

    /// What a stream does at the ordered byte.
    public enum StreamFault {
        /// Throws.
        BREAK,
        /// Ends without a word.
        END,
        /// Goes on with a flipped bit.
        LIE,
        /// Waits for [#openGate].
        WAIT
    }

    private final ObjectStore store;
    private final AtomicInteger opens = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger uploads = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger streamsToFail = new AtomicInteger();
    private volatile Fault fault = step -> {};
    private volatile StreamFault streamFault = StreamFault.BREAK;
    private volatile long streamFaultAt = Long.MAX_VALUE;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /// @param store closed with this
    public FailingStore(ObjectStore store) {
        this.store = store;
    }

    /// From now on, instead of what was injected before.
    public void inject(Fault next) {
        fault = next;
    }

    /// The next `times` streams do it at byte `at` of what is read from them.
    public void order(StreamFault what, long at, int times) {
        if (what == StreamFault.WAIT) {
            gate = new CountDownLatch(1);
        }
        streamFault = what;
        streamFaultAt = at;
        streamsToFail.set(times);
    }

    public void openGate() {
        gate.countDown();
    }

    /// How often a stream was asked for.
    public int opens() {
        return opens.get();
    }

    /// How often a whole object was.
    public int reads() {
        return reads.get();
    }

    /// How many uploads were begun.
    public int uploads() {
        return uploads.get();
    }

    /// All that was taken out of it, by streams and whole.
    public long bytes() {
        return bytes.get();
    }

    @Override
    public OptionalLong size(String key) throws IOException {
        return store.size(key);
    }

    @Override
    public InputStream open(String key, long offset, long lengthBytes) throws IOException {
        opens.incrementAndGet();
        var in = new CountedStream(store.open(key, offset, lengthBytes), bytes);
        var fails = streamsToFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        return fails ? new FailingStream(in, streamFault, streamFaultAt, gate) : in;
    }

    @Override
    public byte[] read(String key, int maxBytes) throws IOException {
        reads.incrementAndGet();
        var read = store.read(key, maxBytes);
        bytes.addAndGet(read.length);
        return read;
    }

    @Override
    public void write(String key, byte[] written) throws IOException {
        fault.at(Step.BEFORE_WRITE);
        store.write(key, written);
        fault.at(Step.AFTER_WRITE);
    }

    @Override
    public Upload upload(String key) throws IOException {
        uploads.incrementAndGet();
        return new MetUpload(store.upload(key));
    }

    @Override
    public void list(String prefix, StoreVisitor visitor) throws IOException {
        fault.at(Step.BEFORE_LIST);
        store.list(prefix, visitor);
    }

    @Override
    public void delete(String key) throws IOException {
        fault.at(Step.BEFORE_DELETE);
        store.delete(key);
        fault.at(Step.AFTER_DELETE);
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

    private final class MetUpload implements Upload {
        private final Upload upload;

        MetUpload(Upload upload) {
            this.upload = upload;
        }

        @Override
        public void write(ByteBuffer more) throws IOException {
            fault.at(Step.UPLOAD_WRITE);
            upload.write(more);
        }

        @Override
        public void complete() throws IOException {
            fault.at(Step.BEFORE_COMPLETE);
            upload.complete();
            fault.at(Step.AFTER_COMPLETE);
        }

        @Override
        public void close() {
            upload.close();
        }
    }
}
