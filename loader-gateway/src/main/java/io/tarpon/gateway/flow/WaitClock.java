package io.tarpon.gateway.flow;

import java.time.Duration;

/// How long a response waited, and for whom. Owned by one thread.
final class WaitClock {
    private final Traffic.Meters meters;
    private boolean waiting;
    private boolean onClient;
    private long since;

    WaitClock(Traffic.Meters meters) {
        this.meters = meters;
    }

    void waitForClient() {
        begin(true);
    }

    void waitForStorage() {
        begin(false);
    }

    void run() {
        if (waiting) {
            waiting = false;
            meters.waited(onClient, Duration.ofNanos(System.nanoTime() - since));
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
    }
}
