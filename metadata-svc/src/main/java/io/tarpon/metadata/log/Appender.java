package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogBusyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;
import org.rocksdb.RocksDBException;

/// The one thread that gives positions and writes entries: whatever waits when the disk is free goes in one synced
/// batch.
///
/// After a failed write it is not known what the disk holds, and a second sync may lie; so the first failure is
/// the last: every later append fails until the process starts again and reads what is there. An `Error`, such as too
/// little memory for a batch, is such a failure too: whatever ends the thread, everybody who waits is told.
///
/// What waits is bounded in entries and in bytes, because one entry may have 512 KiB.
final class Appender implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Appender.class);
    private static final int MAX_BATCH_ENTRIES = 256;
    private static final long MAX_BATCH_BYTES = 64L << 20;
    private static final long POLL_MILLIS = 100;

    private record Waiting(byte[] entry, CompletableFuture<Long> position) {}

    private final Writing store;
    private final BlockingQueue<Waiting> queue;
    private final long maxQueuedBytes;
    /// Of entries whose write is not decided yet, those of the batch at the disk included.
    private final AtomicLong queuedBytes = new AtomicLong();
    private final LongConsumer committed;
    private final Thread thread;
    /// Owned by the thread.
    private long end;

    private volatile boolean whole = true;
    private volatile boolean closing;
    private volatile boolean ended;

    /// What writes a batch: [Store#write], and in tests what fails.
    interface Writing {
        void write(long first, List<byte[]> entries) throws RocksDBException;
    }

    Appender(Writing store, long end, int queuedEntries, long queuedBytes, LongConsumer committed) {
        this.store = store;
        this.end = end;
        this.queue = new ArrayBlockingQueue<>(queuedEntries);
        this.maxQueuedBytes = queuedBytes;
        this.committed = committed;
        this.thread = Thread.ofPlatform().daemon().name("metadata-append").start(this::run);
    }

    /// Whether an entry can still be appended: no write failed, and the thread is there.
    boolean isWhole() {
        return whole && !ended;
    }

    Future<Long> append(byte[] entry) throws IOException {
        if (!whole) {
            throw new IOException("a write to the metadata log has failed before: start the service again");
        }
        if (queuedBytes.addAndGet(entry.length) > maxQueuedBytes) {
            queuedBytes.addAndGet(-entry.length);
            throw new LogBusyException("the metadata log has as many bytes waiting as it may");
        }
        var waiting = new Waiting(entry, new CompletableFuture<>());
        if (!queue.offer(waiting)) {
            queuedBytes.addAndGet(-entry.length);
            throw new LogBusyException("the metadata log has as many entries waiting as it may");
        }
        if (ended) {
            // The thread may have passed its last look into the queue.
            failWaiting();
        }
        return waiting.position();
    }

    private void run() {
        var batch = new ArrayList<Waiting>();
        Throwable why = new IOException("the metadata log is closed");
        try {
            while (whole && !(closing && queue.isEmpty())) {
                var first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    gather(first, batch);
                    commit(batch);
                    batch.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RocksDBException | RuntimeException | Error e) {
            why = e;
            whole = false;
            LOG.errorf(e, "metadata log write failed position=%d entries=%d", end + 1, batch.size());
        } finally {
            ended = true;
            fail(batch, why);
            failWaiting();
        }
    }

    private void gather(Waiting first, List<Waiting> batch) {
        batch.add(first);
        var bytes = (long) first.entry().length;
        for (var next = queue.peek();
                next != null && batch.size() < MAX_BATCH_ENTRIES && bytes + next.entry().length <= MAX_BATCH_BYTES;
                next = queue.peek()) {
            batch.add(queue.remove());
            bytes += next.entry().length;
        }
    }

    private void failWaiting() {
        var waiting = new ArrayList<Waiting>();
        queue.drainTo(waiting);
        fail(waiting, new IOException("the metadata log is closed"));
    }

    private void commit(List<Waiting> batch) throws RocksDBException {
        store.write(end + 1, batch.stream().map(Waiting::entry).toList());
        var first = end + 1;
        end += batch.size();
        committed.accept(end);
        for (int i = 0; i < batch.size(); i++) {
            queuedBytes.addAndGet(-batch.get(i).entry().length);
            batch.get(i).position().complete(first + i);
        }
    }

    private void fail(List<Waiting> batch, Throwable reason) {
        for (var waiting : batch) {
            queuedBytes.addAndGet(-waiting.entry().length);
            waiting.position().completeExceptionally(reason);
        }
    }

    /// Writes what waits, then stops.
    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
