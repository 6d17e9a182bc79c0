package io.tarpon.gateway.flow;

import java.time.Duration;

/// Judges how fast a client takes a response. It counts only while bytes wait for the client; a storage that is slow is
/// not the client's fault, and neither is a time in which this process stood still. Owned by one thread.
///
/// Two measures. Silence: nothing was taken for a time. Rate: a budget that each second of waiting takes the least rate
/// from and each byte taken gives back to, up to 1 MiB, because the kernel takes bytes in steps of its send buffer.
final class Pace {
    private static final long BUDGET_BYTES = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    /// Looks come every second or so.
    private static final long STOOD_STILL_NANOS = Duration.ofSeconds(5).toNanos();

    private final long leastBytesPerSecond;
    private double budget = BUDGET_BYTES;
    private long lastAccepted;
    private long lastLook;
    private long silentSince;
    private boolean waited;

    /// @param leastBytesPerSecond 0 for none
    Pace(long leastBytesPerSecond) {
        this.leastBytesPerSecond = leastBytesPerSecond;
    }

    /// One look, now and then.
    ///
    /// @param accepted bytes of the response that the kernel took so far
    /// @param waits whether there are more for it
    void look(long nanos, long accepted, boolean waits) {
        var stoodStill = nanos - lastLook > STOOD_STILL_NANOS;
        if (!waits || !waited || accepted != lastAccepted || stoodStill) {
            silentSince = nanos;
        }
        if (waited && !stoodStill) {
            budget -= leastBytesPerSecond * ((nanos - lastLook) / NANOS_PER_SECOND);
        }
        budget = Math.min(BUDGET_BYTES, budget + (accepted - lastAccepted));
        lastAccepted = accepted;
        lastLook = nanos;
        waited = waits;
    }

    /// How long, at the last look, the client had taken nothing of what waits for it.
    Duration silence() {
        return Duration.ofNanos(lastLook - silentSince);
    }

    /// Whether the client takes less than the least rate.
    boolean isBelowRate() {
        return budget < 0;
    }
}
