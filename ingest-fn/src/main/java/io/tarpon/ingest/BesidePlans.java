package io.tarpon.ingest;

import java.util.concurrent.Semaphore;

/// Notifications that are acted on beside the uploads in work, each on a thread of its own: one waits up to half a
/// minute for a marker, and what comes behind it does not. So many at a time, since each holds its message in memory.
public final class BesidePlans {
    private final Semaphore free;

    /// @param most at a time
    BesidePlans(int most) {
        this.free = new Semaphore(most);
    }

    /// Returns false, and does nothing, where so many are in work.
    public boolean tryStart(Runnable work) {
        if (!free.tryAcquire()) {
            return false;
        }
        Thread.ofVirtual().name("notification").start(() -> {
            try {
                work.run();
            } finally {
                free.release();
            }
        });
        return true;
    }
}
