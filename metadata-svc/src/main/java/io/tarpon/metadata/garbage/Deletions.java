package io.tarpon.metadata.garbage;

import io.tarpon.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Deletes objects, many with one request where the store can, and several requests at a time. Used by one thread; the
/// first failure ends it.
public final class Deletions implements AutoCloseable {
    /// So few that a store which has no such request is kept busy by several threads, too.
    private static final int BATCH = 200;

    private final ObjectStore store;
    private final int atOnce;
    private final Semaphore free;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private List<String> batch = new ArrayList<>();

    /// @param atOnce batches deleted at a time
    public Deletions(ObjectStore store, int atOnce) {
        this.store = store;
        this.atOnce = atOnce;
        this.free = new Semaphore(atOnce);
    }

    /// Waits until there is room. Throws where an earlier one failed.
    void delete(String key) throws IOException {
        batch.add(key);
        if (batch.size() == BATCH) {
            send();
        }
    }

    /// Waits for all. Afterwards every object is gone, or this throws.
    public void finish() throws IOException {
        send();
        free.acquireUninterruptibly(atOnce);
        free.release(atOnce);
        throwFailure();
    }

    private void send() throws IOException {
        var keys = batch;
        batch = new ArrayList<>();
        free.acquireUninterruptibly();
        threads.execute(() -> {
            try {
                store.deleteAll(keys);
            } catch (IOException | RuntimeException e) {
                failure.compareAndSet(null, e);
            } finally {
                free.release();
            }
        });
        throwFailure();
    }

    private void throwFailure() throws IOException {
        var failed = failure.get();
        if (failed != null) {
            throw new IOException("an object could not be deleted: " + failed, failed);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
