package io.tarpon.ingest;

import io.tarpon.service.retry.AbandonedException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// Whether this process is to end. What is being worked on then is left as it is, not finished and not failed: nothing
/// of it was acknowledged, and whoever comes next does it again.
///
/// Owned by its monitor. A thread is interrupted only while it is inside [#run], so never in what it does next.
public final class Shutdown {
    private static final String ENDING = "this process ends; the upload is handed back to its topic";

    private final Set<Thread> workers = new HashSet<>();
    private boolean begun;

    /// Work that may be left unfinished at any point.
    @FunctionalInterface
    public interface Work {
        void run() throws IOException;
    }

    /// Does the work, unless this process is to end; when that comes in between, the thread is interrupted.
    ///
    /// @throws AbandonedException when nothing of it can be said to be done
    public void run(Work work) throws IOException {
        enter();
        try {
            work.run();
        } finally {
            leave();
        }
    }

    /// From now on no work is begun, and what runs is interrupted.
    public synchronized void begin() {
        begun = true;
        workers.forEach(Thread::interrupt);
    }

    public synchronized boolean isBegun() {
        return begun;
    }

    /// @throws AbandonedException when this process is to end
    void check() {
        if (isBegun()) {
            throw new AbandonedException(ENDING);
        }
    }

    /// @throws AbandonedException when this process is to end, at once
    void pause(Duration pause) {
        check();
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException(ENDING, e);
        }
    }

    private synchronized void enter() {
        check();
        workers.add(Thread.currentThread());
    }

    private synchronized void leave() {
        workers.remove(Thread.currentThread());
        if (begun) {
            // Ours: the interrupt has done what it was for.
            var _ = Thread.interrupted();
        }
    }
}
