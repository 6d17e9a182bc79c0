package io.tarpon.gateway.flow;

import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// What all responses share: how many there are, and the memory for their bytes in flight. The more responses, the less
/// each may have, down to one socket read and one write of 64 KiB.
///
/// Threads: any.
public final class Traffic {
    private static final int LEAST = 64 << 10;
    private static final int MOST_WINDOW = 1 << 20;
    private static final int MOST_READ = 256 << 10;

    private final int maxStreams;
    private final long buffers;
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger ahead = new AtomicInteger();
    private final Meters meters;

    /// Where bytes and waits are counted.
    public interface Meters {
        void bytes(BlockBytes.Origin origin, long bytes);

        /// @param onClient whether the client was waited for, rather than the storage
        void waited(boolean onClient, Duration time);
    }

    public Traffic(int maxStreams, long buffers, Meters meters) {
        this.maxStreams = maxStreams;
        this.buffers = Math.min(buffers, PlatformDependent.maxDirectMemory() / 10 * 6);
        this.meters = meters;
    }

    /// Takes a place for one response with a body; false where all are taken.
    public boolean enter() {
        if (streams.incrementAndGet() > maxStreams) {
            streams.decrementAndGet();
            return false;
        }
        return true;
    }

    public void leave() {
        streams.decrementAndGet();
    }

    public int streams() {
        return streams.get();
    }

    /// Bytes that one response may have written and not yet sent.
    public long window() {
        return share(MOST_WINDOW);
    }

    /// Bytes that one read of a socket or the object store may take.
    public int readBytes() {
        return (int) share(MOST_READ);
    }

    Meters meters() {
        return meters;
    }

    /// Takes a place for a piece behind a head; false where the memory for their first reads is taken.
    boolean tryRunAhead() {
        if ((long) ahead.incrementAndGet() * MOST_READ > buffers / 4) {
            ahead.decrementAndGet();
            return false;
        }
        return true;
    }

    void endAhead(int pieces) {
        ahead.addAndGet(-pieces);
    }

    private long share(int most) {
        return Math.clamp(buffers / 4 / Math.max(1, streams.get()), LEAST, most);
    }
}
