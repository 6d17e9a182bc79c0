package io.tarpon.block;

import io.tarpon.block.index.BlockIndex;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/// Which blocks were used since their times were last written down. Hot reads touch only this; the index gets the
/// times in one go, before each eviction and every few seconds.
///
/// One lock guards the map. It is bounded: with 65,536 blocks in it, uses of others are forgotten until the next
/// flush.
public final class RecentUse {
    private static final int MOST = 1 << 16;

    private final Clock clock;
    private final BlockIndex index;
    private Map<BlockId, Long> times = new HashMap<>();

    public RecentUse(Clock clock, BlockIndex index) {
        this.clock = clock;
        this.index = index;
    }

    /// Notes that the block is used now.
    public synchronized void used(BlockId id) {
        if (times.size() < MOST || times.containsKey(id)) {
            times.put(id, clock.millis());
        }
    }

    /// How many blocks were used since the last flush.
    public synchronized int awaitingFlush() {
        return times.size();
    }

    /// Writes the times down.
    public void flush() throws IOException {
        Map<BlockId, Long> taken;
        synchronized (this) {
            taken = times;
            times = new HashMap<>();
        }
        if (!taken.isEmpty()) {
            index.used(taken);
        }
    }
}
