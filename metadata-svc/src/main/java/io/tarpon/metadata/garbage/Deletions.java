package io.tarpon.metadata.garbage;

import io.tarpon.store.ObjectStore;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Deletes objects, several at a time. Used by one thread; the first failure ends it.
public final class Deletions implements AutoCloseable {
    private final ObjectStore store;
    private final int atOnce;
    private final Semaphore free;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    public Deletions(ObjectStore store, int atOnce) {
        this.store = store;
        this.atOnce = atOnce;
        this.free = new Semaphore(atOnce);
    }

    /// Waits until there is room. Throws where an earlier one failed.
    void delete(String key) throws IOException {
        free.acquireUninterruptibly();
        threads.execute(() -> {
            try {
                store.delete(key);
            } catch (IOException | RuntimeException e) {
                failure.compareAndSet(null, e);
            } finally {
                free.release();
            }
        });
        throwFailure();
    }

    /// Waits for all. Afterwards every object is gone, or this throws.
    public void finish() throws IOException {
        free.acquireUninterruptibly(atOnce);
        free.release(atOnce);
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
