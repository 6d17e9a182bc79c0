package io.tarpon.cluster;

import java.time.Duration;

/// A command that stands still between two looks at something.
public final class Pause {
    private Pause() {}

    /// Returns when the time is over; an interrupt ends the command.
    public static void of(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }
}
