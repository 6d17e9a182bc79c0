package io.tarpon.ingest;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/// Asks whether a version is still wanted: not at each of millions of objects, but every so often, so that one which
/// was cancelled stops what is done for it. For one thread.
final class PacedFence {
    private final long everyNanos;
    private final Question question;
    private long askedAt = System.nanoTime();

    PacedFence(Duration every, Question question) {
        this.everyNanos = every.toNanos();
        this.question = question;
    }

    /// Lets everything through.
    static PacedFence open() {
        return new PacedFence(Duration.ofDays(1), () -> {});
    }

    /// Is answered by returning, or not.
    @FunctionalInterface
    interface Question {
        /// @throws IOException where it is not wanted: nothing may be written for it
        void ask() throws IOException;
    }

    /// Cheap enough for every object.
    ///
    /// @throws IOException as [Question#ask], where it is time to ask; at once where the thread was interrupted
    void check() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
        }
        if (System.nanoTime() - askedAt >= everyNanos) {
            checkNow();
        }
    }

    /// @throws IOException as [Question#ask]
    void checkNow() throws IOException {
        question.ask();
        askedAt = System.nanoTime();
    }
}
