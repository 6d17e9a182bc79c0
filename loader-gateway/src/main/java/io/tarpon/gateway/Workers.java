package io.tarpon.gateway;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The threads that block so that event loops need not: four named pools, and virtual threads for questions to
/// metadata-svc. What waits for a pool is bounded by the responses in work.
final class Workers implements AutoCloseable {
    private static final int STOP_SECONDS = 5;

    private final ExecutorService disk;
    private final ExecutorService store;
    private final ExecutorService plans;
    private final ExecutorService batches;
    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();

    Workers(int diskThreads, int storeThreads, int planThreads, int batchThreads) {
        this.disk = pool("disk", diskThreads);
        this.store = pool("store", storeThreads);
        this.plans = pool("plan", planThreads);
        this.batches = pool("batch", batchThreads);
    }

    /// For block files.
    Executor disk() {
        return disk;
    }

    /// For the object store.
    Executor store() {
        return store;
    }

    /// For what takes a processor for long, or waits for many indexes.
    Executor plans() {
        return plans;
    }

    /// For the bodies of batches: a training step waits for them, so they do not wait behind plans.
    Executor batches() {
        return batches;
    }

    /// For metadata-svc.
    Executor virtual() {
        return virtual;
    }

    /// Lets what is in work come to its end: an interrupt would close files that others read.
    @Override
    public void close() {
        disk.shutdown();
        store.shutdown();
        plans.shutdownNow();
        batches.shutdownNow();
        virtual.shutdownNow();
        try {
            if (!disk.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            store.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ExecutorService pool(String name, int threads) {
        return Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name(name + "-", 0).daemon().factory());
    }
}
