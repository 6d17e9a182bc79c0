package io.tarpon.gateway.flow;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;

/// The heap that batches and pages of positions hold together, from the first byte of a request to the end of
/// its answer. Whoever needs more than is left is turned away, rather than all of them fail.
///
/// Threads: any.
public final class HeapBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /// @param most bytes
    public HeapBudget(long most) {
        this.most = most;
    }

    /// What one request holds: nothing yet. To be closed when its answer is over, in whatever way.
    public Charge charge() {
        return new Charge();
    }

    /// Bytes that are held now.
    public long taken() {
        return taken.get();
    }

    /// What one request holds. After it was closed [#grow] fails, so that work for a client that left ends.
    ///
    /// Threads: any; its lock is held for a sum.
    public final class Charge implements AutoCloseable {
        private long held;
        private boolean closed;

        private Charge() {}

        /// @throws TarponException `overloaded` where that much is not left
        /// @throws CancellationException when the answer is over
        public synchronized void grow(long bytes) {
            if (closed) {
                throw new CancellationException("the client has left");
            }
            if (held + bytes > most) {
                throw new TarponException(
                        ProblemType.INSUFFICIENT_STORAGE,
                        "this request alone needs more than the " + (most >> 10)
                                + " KiB that batches and positions may hold; ask for less, or raise"
                                + " tarpon.gateway.batch-memory and the heap");
            }
            if (taken.addAndGet(bytes) > most) {
                taken.addAndGet(-bytes);
                throw new TarponException(
                        ProblemType.OVERLOADED,
                        "batches and positions in work hold " + (taken.get() >> 10) + " KiB of " + (most >> 10)
                                + "; ask again in a moment, or raise tarpon.gateway.batch-memory");
            }
            held += bytes;
        }

        /// Gives bytes back that are no longer held.
        public synchronized void shrink(long bytes) {
            if (!closed) {
                held -= bytes;
                taken.addAndGet(-bytes);
            }
        }

        /// The same, down to so many.
        public synchronized void shrinkTo(long bytes) {
            shrink(Math.max(0, held - bytes));
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                taken.addAndGet(-held);
            }
        }
    }
}
