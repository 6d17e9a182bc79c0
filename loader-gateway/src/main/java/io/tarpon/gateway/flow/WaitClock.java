package io.tarpon.gateway.flow;

import java.time.Duration;

/// How long a response waited, and for whom. Owned by one thread.
final class WaitClock {
    private final Traffic.Meters meters;
    private final StreamProgress progress;
    private boolean waiting;
    private boolean onClient;
    private long since;

    WaitClock(Traffic.Meters meters, StreamProgress progress) {
        this.meters = meters;
        this.progress = progress;
    }

    void waitForClient() {
        begin(true);
    }

    void waitForStorage() {
        begin(false);
    }

    boolean isWaitingForStorage() {
        return waiting && !onClient;
    }

    void run() {
        if (waiting) {
            waiting = false;
            var nanos = System.nanoTime() - since;
            meters.waited(onClient, Duration.ofNanos(nanos));
            progress.waited(onClient, nanos);
        }
    }

    /// Counts what was waited so far, so that a long wait is seen while it lasts.
    void turn() {
        if (waiting) {
            var forClient = onClient;
            run();
            begin(forClient);
        }
    }

    private void begin(boolean forClient) {
        if (waiting && onClient == forClient) {
            return;
        }
        run();
        waiting = true;
        onClient = forClient;
        since = System.nanoTime();
        progress.waits(forClient ? StreamProgress.WaitsOn.CLIENT : StreamProgress.WaitsOn.STORAGE, since);
    }
}
