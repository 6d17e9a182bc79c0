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
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;
import org.rocksdb.RocksDBException;

/// The one thread that gives positions and writes entries: whatever waits when the disk is free goes in one synced
/// batch.
///
/// After a failed write it is not known what the disk holds, and a second sync may lie; so the first failure is
/// the last: every later append fails until the process starts again and reads what is there.
final class Appender implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Appender.class);
    private static final int MAX_BATCH_ENTRIES = 256;
    private static final long POLL_MILLIS = 100;

    private record Waiting(byte[] entry, CompletableFuture<Long> position) {}

    private final Store store;
    private final BlockingQueue<Waiting> queue;
    private final LongConsumer committed;
    private final Thread thread;
    /// Owned by the thread.
    private long end;

    private volatile boolean whole = true;
    private volatile boolean closing;
    private volatile boolean ended;

    Appender(Store store, long end, int queuedEntries, LongConsumer committed) {
        this.store = store;
        this.end = end;
        this.queue = new ArrayBlockingQueue<>(queuedEntries);
        this.committed = committed;
        this.thread = Thread.ofPlatform().daemon().name("metadata-append").start(this::run);
    }

    boolean isWhole() {
        return whole;
    }

    Future<Long> append(byte[] entry) throws IOException {
        if (!whole) {
            throw new IOException("a write to the metadata log has failed before: start the service again");
        }
        var waiting = new Waiting(entry, new CompletableFuture<>());
        if (!queue.offer(waiting)) {
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
        try {
            while (whole && !(closing && queue.isEmpty())) {
                var first = queue.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    queue.drainTo(batch, MAX_BATCH_ENTRIES - 1);
                    commit(batch);
                    batch.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            failWaiting();
        }
    }

    private void failWaiting() {
        var waiting = new ArrayList<Waiting>();
        queue.drainTo(waiting);
        fail(waiting, new IOException("the metadata log is closed"));
    }

    private void commit(List<Waiting> batch) {
        try {
            store.write(end + 1, batch.stream().map(Waiting::entry).toList());
        } catch (RocksDBException | RuntimeException e) {
            whole = false;
            LOG.errorf(e, "metadata log write failed position=%d entries=%d", end + 1, batch.size());
            fail(batch, e);
            return;
        }
        var first = end + 1;
        end += batch.size();
        committed.accept(end);
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).position().complete(first + i);
        }
    }

    private static void fail(List<Waiting> batch, Throwable reason) {
        batch.forEach(waiting -> waiting.position().completeExceptionally(reason));
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
