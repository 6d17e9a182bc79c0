package io.tarpon.block;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;

/// The block requests that are being answered: at most so many at a time, and none begins any more once the node
/// stops. Each holds a file, a position and one `sendfile`, no bytes. One lock guards the count; nothing waits under it
/// but [#drain].
public final class OpenReads {
    private final int most;
    private int open;
    private boolean closed;

    public OpenReads(int most) {
        this.most = most;
    }

    /// One more, until it [ends][OpenRead#end].
    ///
    /// @throws TarponException `overloaded` or `not-ready`: there is not one more
    public synchronized OpenRead begin() {
        if (closed) {
            throw new TarponException(ProblemType.NOT_READY, "this node is stopping; ask another");
        }
        if (open >= most) {
            throw new TarponException(
                    ProblemType.OVERLOADED,
                    "this node answers " + most + " block requests at a time (tarpon.block.max-requests); try again,"
                            + " or another node");
        }
        open++;
        return new OpenRead();
    }

    public synchronized int count() {
        return open;
    }

    /// Lets none begin any more.
    public synchronized void close() {
        closed = true;
    }

    /// Waits until all have ended, no longer than this, and answers how many have not.
    public synchronized int drain(Duration longest) throws InterruptedException {
        var end = System.nanoTime() + longest.toNanos();
        for (var left = longest.toMillis(); open > 0 && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return open;
    }

    private synchronized void ended() {
        open--;
        if (open == 0) {
            notifyAll();
        }
    }

    /// One of them. Owned by its event loop.
    public final class OpenRead {
        private boolean ended;

        private OpenRead() {}

        /// It is answered, or nobody waits for it any more. A second call changes nothing.
        public void end() {
            if (!ended) {
                ended = true;
                OpenReads.this.ended();
            }
        }
    }
}
