package io.tarpon.ingest;

import io.tarpon.service.retry.AbandonedException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Whether this process is to end, or what a thread works on is another's by now. It is left as it is then, not
/// finished and not failed: nothing of it was acknowledged, and whoever comes next does it again.
///
/// Owned by its monitor. A thread is interrupted only while it is inside [#run], so never in what it does next.
public final class Shutdown {
    private static final String ENDING = "this process ends; the upload is handed back to its topic";
    private static final String TAKEN = "its partition was taken away";

    /// Those that work, each with what says whether its work is another's by now.
    private final Map<Thread, BooleanSupplier> workers = new HashMap<>();

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
        run(() -> false, work);
    }

    /// The same for work that may become another's; who takes it away interrupts the thread.
    ///
    /// @param taken answers at once
    public void run(BooleanSupplier taken, Work work) throws IOException {
        enter(taken);
        try {
            work.run();
        } finally {
            leave();
        }
    }

    /// From now on no work is begun, and what runs is interrupted.
    public synchronized void begin() {
        begun = true;
        workers.keySet().forEach(Thread::interrupt);
    }

    public synchronized boolean isBegun() {
        return begun;
    }

    /// Whether what the calling thread works on is to be left as it is.
    boolean isUnwanted() {
        return isBegun() || isTaken();
    }

    private boolean isTaken() {
        BooleanSupplier taken;
        synchronized (this) {
            taken = workers.get(Thread.currentThread());
        }
        return taken != null && taken.getAsBoolean();
    }

    /// @throws AbandonedException when what the calling thread works on is to be left as it is
    void check() {
        if (isBegun()) {
            throw new AbandonedException(ENDING);
        }
        if (isTaken()) {
            throw new AbandonedException(TAKEN);
        }
    }

    /// @throws AbandonedException as [#check], at once
    void pause(Duration pause) {
        check();
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException(isBegun() ? ENDING : TAKEN, e);
        }
    }

    private synchronized void enter(BooleanSupplier taken) {
        check();
        workers.put(Thread.currentThread(), taken);
    }

    private synchronized void leave() {
        workers.remove(Thread.currentThread());
        if (begun) {
            // Ours: the interrupt has done what it was for.
            var _ = Thread.interrupted();
        }
    }
}
