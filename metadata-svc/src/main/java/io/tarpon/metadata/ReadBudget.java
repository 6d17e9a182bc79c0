package io.tarpon.metadata;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// The heap that the answers to lists may have, all of them together, so that no number of askers uses it up. Those for
/// whom there is no room wait in line, for so long and no longer.
///
/// Threads: any that may wait.
public final class ReadBudget {
    /// What one list may take: a page has at most 1 MiB of text, and its objects some four times that. One of block
    /// numbers, the worst there is, has 20 bytes of objects for 5 of text.
    static final long PAGE_BYTES = 4 << 20;

    private final Semaphore pages;
    private final int most;
    private final Duration wait;
    private final Duration hold;

    /// @param bytes of all answers together, room for one page at least
    /// @param wait how long to wait for room, since the question came
    /// @param hold how long an answer may take to be read by who asked for it
    ReadBudget(long bytes, Duration wait, Duration hold) {
        this.most = Math.toIntExact(bytes / PAGE_BYTES);
        this.pages = new Semaphore(most, true);
        this.wait = wait;
        this.hold = hold;
    }

    /// Room for one page until it is closed; `overloaded` where there is none in time. Whoever waited too long before
    /// it came here is refused even where there is room: then it is not room that is short but processor time, and
    /// behind each list that is made although nobody may wait for it any more, all others wait longer.
    ///
    /// @param waited since the question came
    public Lease lease(Duration waited) {
        var left = wait.minus(waited);
        try {
            if (!left.isNegative() && pages.tryAcquire(left.toNanos(), TimeUnit.NANOSECONDS)) {
                return new Lease();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TarponException(ProblemType.NOT_READY, "the service is stopping", e);
        }
        throw new TarponException(
                ProblemType.OVERLOADED,
                "no turn within " + wait.toMillis()
                        + " ms (tarpon.metadata.read-wait) among the lists that are asked for; " + most
                        + " may be read at a time (tarpon.metadata.read-bytes); ask again");
    }

    /// How long an answer may take to be read: who takes longer is cut off.
    public Duration hold() {
        return hold;
    }

    /// Room for one page. Closing it again does nothing.
    public final class Lease implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease() {}

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                pages.release();
            }
        }
    }
}
