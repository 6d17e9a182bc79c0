package io.tarpon.block;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// A fixed number of threads of one name with a bounded queue. What does not fit is refused with `overloaded` and
/// not run.
///
/// Its threads are never interrupted: an interrupt would close the file that a thread reads for everybody.
public final class BoundedPool implements AutoCloseable {
    private static final long CLOSE_SECONDS = 3;

    private final String name;
    private final ThreadPoolExecutor threads;

    public BoundedPool(String name, int size, int queue) {
        this.name = name;
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(queue),
                Thread.ofPlatform().daemon().name("tarpon-" + name + "-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /// Runs the work on a thread of the pool. The future fails with what the work threw, or with `overloaded`.
    public <T> CompletableFuture<T> submit(Callable<T> work) {
        var result = new CompletableFuture<T>();
        try {
            threads.execute(() -> run(work, result));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new TarponException(
                    ProblemType.OVERLOADED,
                    "the queue '" + name + "' of this node is full; try again, or another node",
                    e));
        }
        return result;
    }

    /// Takes no more work and waits a moment for what is under way.
    @Override
    public void close() {
        threads.shutdown();
        try {
            var _ = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> void run(Callable<T> work, CompletableFuture<T> result) {
        try {
            result.complete(work.call());
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }
}
