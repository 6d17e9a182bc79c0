package io.tarpon.gateway;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads that block so that event loops need not: named pools, and virtual threads for questions to
/// metadata-svc. What waits for a pool is bounded by the responses in work.
final class Workers implements AutoCloseable {
    private static final int STOP_SECONDS = 5;
    private static final int MOST_PLANS = 64;

    private final ExecutorService store;
    private final ExecutorService plans;
    private final ExecutorService layouts;
    private final ExecutorService batches;
    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();

    Workers(int storeThreads, int planThreads, int batchThreads) {
        this.store = pool("store", storeThreads);
        this.plans = new ThreadPoolExecutor(
                planThreads, planThreads, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_PLANS), threads("plan"));
        this.layouts = pool("layout", 1);
        this.batches = pool("batch", batchThreads);
    }

    /// For the object store.
    Executor store() {
        return store;
    }

    /// For what takes a processor for long. So many wait at most; one more is refused as `overloaded`, because what
    /// was begun goes on when nobody waits for it any more.
    Executor plans() {
        return task -> {
            try {
                plans.execute(task);
            } catch (RejectedExecutionException e) {
                throw new TarponException(
                        ProblemType.OVERLOADED,
                        MOST_PLANS + " epochs are waiting to be planned, which is the most; try again in a moment, or"
                                + " raise tarpon.gateway.plan-threads",
                        e);
            }
        };
    }

    /// For splits whose shards are laid out: one at a time, so that no more than one is in memory beside those that
    /// are kept.
    Executor layouts() {
        return layouts;
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
        store.shutdown();
        plans.shutdownNow();
        layouts.shutdownNow();
        batches.shutdownNow();
        virtual.shutdownNow();
        try {
            store.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ExecutorService pool(String name, int threads) {
        return Executors.newFixedThreadPool(threads, threads(name));
    }

    private static ThreadFactory threads(String name) {
        return Thread.ofPlatform().name(name + "-", 0).daemon().factory();
    }
}
