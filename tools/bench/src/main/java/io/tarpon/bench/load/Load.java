package io.tarpon.bench.load;

import io.tarpon.cluster.CommandFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A closed loop of clients: each sends its next request when it has the whole answer to the one before.
///
/// Threads: one a connection, started together when all are connected. The first failure ends the run, for a
/// benchmark of wrong answers is none.
public final class Load {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Supplier<Request> requests;
    private final HttpConnection connection;
    private long done;
    private long bytes;

    private Load(Supplier<Request> requests, HttpConnection connection) {
        this.requests = requests;
        this.connection = connection;
    }

    /// What all clients together had answered.
    ///
    /// @param bytes of bodies
    public record Result(long requests, long bytes, double seconds) {}

    /// Runs until the time is up and the answers then under way are whole.
    ///
    /// @param requests for the client of each number, one after the other
    /// @param atStart called when all are connected, just before the first request
    public static Result run(
            String url, int clients, Duration time, IntFunction<Supplier<Request>> requests, Runnable atStart)
            throws IOException {
        var loads = new ArrayList<Load>();
        try {
            for (int client = 0; client < clients; client++) {
                loads.add(new Load(requests.apply(client), HttpConnection.open(url)));
            }
            return run(loads, time, atStart);
        } finally {
            for (var load : loads) {
                load.connection.close();
            }
        }
    }

    private static Result run(List<Load> loads, Duration time, Runnable atStart) throws IOException {
        var start = new CountDownLatch(1);
        var failure = new AtomicReference<@Nullable Exception>();
        var threads = new ArrayList<Thread>();
        for (var load : loads) {
            threads.add(Thread.ofPlatform().daemon().name("load").start(() -> load.repeat(start, time, failure)));
        }
        atStart.run();
        var began = System.nanoTime();
        start.countDown();
        join(threads, began + time.plus(PATIENCE).toNanos());
        var seconds = (System.nanoTime() - began) / 1e9;
        var failed = failure.get();
        if (failed != null) {
            throw new IOException("a request failed: " + failed.getMessage(), failed);
        }
        return new Result(
                loads.stream().mapToLong(load -> load.done).sum(),
                loads.stream().mapToLong(load -> load.bytes).sum(),
                seconds);
    }

    private void repeat(CountDownLatch start, Duration time, AtomicReference<@Nullable Exception> failure) {
        try {
            start.await();
            var end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() - end < 0 && failure.get() == null) {
                bytes += connection.exchange(requests.get());
                done++;
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    /// The threads' counts are visible to who has joined them.
    private static void join(List<Thread> threads, long deadline) throws IOException {
        try {
            for (var thread : threads) {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    throw new IOException(
                            "no whole answer within " + PATIENCE.toSeconds() + " s after the time was up");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }
}
