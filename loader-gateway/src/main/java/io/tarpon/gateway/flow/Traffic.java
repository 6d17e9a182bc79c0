package io.tarpon.gateway.flow;

import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What all responses share: how many there are, and the memory for their bytes in flight. The more responses, the less
/// each may have, down to one socket read and one write of 64 KiB; and there are no more than memory bears.
///
/// Threads: any.
public final class Traffic {
    private static final int LEAST = 64 << 10;
    private static final int MOST_WINDOW = 1 << 20;
    private static final int MOST_READ = 256 << 10;

    /// A piece that runs ahead counts as at least so many bytes, for its objects and its connection.
    private static final int LEAST_AHEAD = 8 << 10;

    /// What a response that waits for its client holds: where its block comes over a network a chunk that is
    /// written, one that was read, and what larger ones it had while there were fewer responses; and objects.
    private static final int READ_BUFFERS = 160 << 10;

    private static final int READ_HEAP = 24 << 10;

    /// The parts of all memory that responses may have.
    private static final double BUFFERS_SHARE = 0.6;

    private static final double HEAP_SHARE = 0.25;

    private final int maxReads;
    private final long buffers;
    private final Patience patience;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicLong ahead = new AtomicLong();
    private final Meters meters;

    /// Where bytes and waits are counted.
    public interface Meters {
        void bytes(BlockBytes.Origin origin, long bytes);

        /// @param onClient whether the client was waited for, rather than the storage
        void waited(boolean onClient, Duration time);
    }

    /// The memory of this process, in bytes.
    public record Memory(long heap, long direct) {
        public static Memory ofThisProcess() {
            return new Memory(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());
        }
    }

    /// @param maxReads responses at once; fewer where `memory` does not bear them
    /// @param buffers bytes in flight of all; less where `memory` has not enough
    public Traffic(int maxReads, long buffers, Memory memory, Patience patience, Meters meters) {
        this.buffers = Math.min(buffers, (long) (memory.direct * BUFFERS_SHARE));
        var borne = Math.min(this.buffers / READ_BUFFERS, (long) (memory.heap * HEAP_SHARE) / READ_HEAP);
        this.maxReads = Math.clamp(borne, 1, maxReads);
        this.patience = patience;
        this.meters = meters;
    }

    /// Takes a place for one response with a body; false where all are taken.
    public boolean enter() {
        if (reads.incrementAndGet() > maxReads) {
            reads.decrementAndGet();
            return false;
        }
        return true;
    }

    public void leave() {
        reads.decrementAndGet();
    }

    public int reads() {
        return reads.get();
    }

    /// The most responses at once.
    public int maxReads() {
        return maxReads;
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

    Patience patience() {
        return patience;
    }

    /// How long a client may take nothing, as things are now.
    Duration stall() {
        return reads.get() > maxReads / 4 * 3 ? patience.crowded() : patience.alone();
    }

    /// What a piece that runs ahead of its turn may hold: its first read.
    static int aheadBytes(long pieceBytes) {
        return Math.clamp(pieceBytes, LEAST_AHEAD, MOST_READ);
    }

    /// Takes memory for a piece behind a head; false where there is none.
    boolean tryRunAhead(int bytes) {
        var taken = ahead.get();
        while (taken + bytes <= buffers / 4) {
            var seen = ahead.compareAndExchange(taken, taken + bytes);
            if (seen == taken) {
                return true;
            }
            taken = seen;
        }
        return false;
    }

    void endAhead(int bytes) {
        ahead.addAndGet(-bytes);
    }

    private long share(int most) {
        return Math.clamp(buffers / 8 / Math.max(1, reads.get()), LEAST, most);
    }
}
