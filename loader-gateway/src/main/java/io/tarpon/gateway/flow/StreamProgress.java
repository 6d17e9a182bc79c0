package io.tarpon.gateway.flow;

import java.util.concurrent.atomic.AtomicLong;

/// How far one response has come, and for whom it waited so far.
///
/// Threads: its event loop writes; anybody reads, each figure as it was a moment ago.
public final class StreamProgress {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong samples = new AtomicLong();
    private final AtomicLong clientNanos = new AtomicLong();
    private final AtomicLong storageNanos = new AtomicLong();
    private volatile WaitsOn waitsOn = WaitsOn.NOBODY;
    private volatile long since = System.nanoTime();

    /// Who is waited for.
    public enum WaitsOn {
        CLIENT,
        STORAGE,
        NOBODY
    }

    /// Bytes that were given to the client's connection.
    public long bytes() {
        return bytes.getAcquire();
    }

    /// Samples of which the last byte was.
    public long samples() {
        return samples.getAcquire();
    }

    public WaitsOn waitsOn() {
        return waitsOn;
    }

    /// Time waited for the client or the storage, the wait that lasts included.
    public long waitedNanos(WaitsOn whom) {
        var done = switch (whom) {
            case CLIENT -> clientNanos.getAcquire();
            case STORAGE -> storageNanos.getAcquire();
            case NOBODY -> 0;
        };
        return whom == waitsOn ? done + Math.max(0, System.nanoTime() - since) : done;
    }

    void sent(long count) {
        bytes.setRelease(bytes.getPlain() + count);
    }

    void sampleEnded() {
        samples.setRelease(samples.getPlain() + 1);
    }

    void waits(WaitsOn whom, long nanos) {
        since = nanos;
        waitsOn = whom;
    }

    void waited(boolean onClient, long nanos) {
        var sum = onClient ? clientNanos : storageNanos;
        sum.setRelease(sum.getPlain() + nanos);
        waitsOn = WaitsOn.NOBODY;
    }
}
