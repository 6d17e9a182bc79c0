package io.tarpon.metadata;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/// Steady time in nanoseconds that goes on only while this process runs: a thread looks again and again, and what
/// passes between two looks counts for two intervals at most. After a pause of the process or its machine, of whatever
/// length, nobody seems to have been silent for it, and who was heard before has the rest of its time to be heard
/// again.
///
/// Safe for any thread: every reading is a look too, so one that comes before the thread's own after a pause counts no
/// more than that one would.
final class WatchedTime implements LongSupplier, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(WatchedTime.class);

    private final LongSupplier nanoTime;
    private final Duration interval;
    private final Thread thread;
    private long lookedAtNanos;
    private long countedNanos;

    /// @param interval between two looks: some part of the silences that are judged by this time
    WatchedTime(LongSupplier nanoTime, Duration interval) {
        this.nanoTime = nanoTime;
        this.interval = interval;
        this.lookedAtNanos = nanoTime.getAsLong();
        this.thread = Thread.ofPlatform().daemon().name("metadata-watch").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public synchronized long getAsLong() {
        var now = nanoTime.getAsLong();
        var passed = now - lookedAtNanos;
        var most = 2 * interval.toNanos();
        if (passed > most) {
            LOG.warnf("process stood still millis=%d", passed / 1_000_000);
        }
        countedNanos += Math.clamp(passed, 0, most);
        lookedAtNanos = now;
        return countedNanos;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(interval);
                var _ = getAsLong();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Afterwards time goes on only by being read.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
