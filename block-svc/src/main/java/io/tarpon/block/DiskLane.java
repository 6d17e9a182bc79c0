package io.tarpon.block;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// The threads that one disk is asked on, for reads or for fills, and the watch over what they asked: nobody else waits
/// for the disk, and who waits for one of them is told when it is late. Work that is late and ends after all is given
/// back by its owner.
final class DiskLane implements AutoCloseable {
    private final String folder;
    private final BoundedPool threads;
    private final DiskCalls calls;
    private final Consumer<IOException> onFailure;
    private final AtomicBoolean probing = new AtomicBoolean();

    /// @param folder for messages
    /// @param deadline that the disk has for one answer
    /// @param onFailure is told of every failure of the disk
    DiskLane(String folder, BoundedPool threads, Duration deadline, Consumer<IOException> onFailure) {
        this.folder = folder;
        this.threads = threads;
        this.calls = new DiskCalls(deadline.toNanos(), System.nanoTime());
        this.onFailure = onFailure;
    }

    /// Work that is one question to the disk, on a thread of the lane. The future fails with [DiskAwayException] where
    /// the answer is late, at once where the disk is silent.
    ///
    /// @param tooLate takes what came after that
    <T> CompletableFuture<T> submit(Callable<T> work, Consumer<T> tooLate) {
        var result = new CompletableFuture<T>();
        if (calls.isSilent()) {
            result.completeExceptionally(away());
            return result;
        }
        var _ = submit(work, tooLate, result);
        return result;
    }

    /// Work on a thread of the lane that asks the disk now and then, each time by [#call]. The future fails with
    /// [DiskAwayException] where it has not begun when the disk falls silent.
    CompletableFuture<Void> start(Work work) {
        var result = new CompletableFuture<Void>();
        var call = calls.queued(() -> result.completeExceptionally(away()));
        var _ = threads.submit(() -> {
                    calls.dropped(call);
                    if (!result.isDone()) {
                        work.run(result);
                        result.complete(null);
                    }
                    return true;
                })
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        calls.dropped(call);
                        result.completeExceptionally(failure);
                    }
                });
        return result;
    }

    /// Asks the disk on the caller's thread, which waits as long as it takes.
    ///
    /// @param late is told when the answer is late; must not wait
    <T> T call(Question<T> question, Runnable late) throws IOException {
        var call = calls.begun(late, System.nanoTime());
        try {
            return question.ask();
        } catch (IOException e) {
            onFailure.accept(e);
            throw e;
        } finally {
            calls.answered(call, System.nanoTime());
        }
    }

    /// What a caller of [#call] tells those who wait for him.
    IOException away() {
        return new DiskAwayException(folder);
    }

    boolean isSilent() {
        return calls.isSilent();
    }

    long lookEveryNanos() {
        return calls.lookEveryNanos();
    }

    /// One look at what is late; a disk that owes an answer is asked for another, on the same threads.
    void look(Callable<Boolean> probe) {
        if (calls.look(System.nanoTime()) && probing.compareAndSet(false, true)) {
            // Not before it had its turn: while the disk hangs, no two wait for one.
            var _ = submit(probe, _ -> {}, new CompletableFuture<>()).whenComplete((_, _) -> probing.set(false));
        }
    }

    @Override
    public void close() {
        threads.close();
    }

    /// Completes when a thread had its turn of it, or none ever will.
    private <T> CompletableFuture<Boolean> submit(Callable<T> work, Consumer<T> tooLate, CompletableFuture<T> result) {
        var call = calls.queued(() -> result.completeExceptionally(away()));
        return threads.submit(() -> {
                    if (result.isDone()) {
                        calls.dropped(call);
                        return false;
                    }
                    DiskCalls.begin(call, System.nanoTime());
                    return ask(work, tooLate, result, call);
                })
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        calls.dropped(call);
                        result.completeExceptionally(failure);
                    }
                });
    }

    private <T> boolean ask(Callable<T> work, Consumer<T> tooLate, CompletableFuture<T> result, DiskCalls.Call call)
            throws Exception {
        T answer;
        try {
            answer = work.call();
        } catch (IOException e) {
            onFailure.accept(e);
            throw e;
        } finally {
            calls.answered(call, System.nanoTime());
        }
        if (!result.complete(answer)) {
            tooLate.accept(answer);
        }
        return true;
    }

    /// Work of [#start].
    @FunctionalInterface
    interface Work {
        /// @param result fails early where others must not wait for the end of it
        void run(CompletableFuture<Void> result) throws IOException;
    }

    /// What a disk is asked.
    @FunctionalInterface
    interface Question<T> {
        T ask() throws IOException;
    }
}
