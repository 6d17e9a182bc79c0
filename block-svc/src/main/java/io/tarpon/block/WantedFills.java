package io.tarpon.block;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Blocks that gateways say will be read soon: those that are not here wait in the order they came, so many
/// and no more, and are filled on threads of their own, so that no read waits behind them. They take free
/// room only: where there is none they are dropped, and come when they are read.
///
/// One lock guards the queue and the number of threads at work; nothing is done under it but counting. A
/// block that leaves the queue while a read begins to fill it is left to the read; a read that comes later
/// joins. What is lost at a stop or a crash is lost hints.
public final class WantedFills implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(WantedFills.class);

    /// Indexes loaded at a time for blocks nobody waits for: each may take tens of MiB while it is read.
    private static final int LOOKUPS = 2;

    private final Disks disks;
    private final ShardIndexes indexes;
    private final Fills fills;
    private final int atOnce;
    private final int most;
    private final BoundedPool pool;
    private final Semaphore lookups = new Semaphore(LOOKUPS);
    private final SequencedMap<BlockId, BlockRequest> waiting = new LinkedHashMap<>();
    private int working;
    private boolean stopped;

    /// @param atOnce blocks filled at a time
    /// @param most blocks that wait
    WantedFills(Disks disks, ShardIndexes indexes, Fills fills, int atOnce, int most) {
        this.disks = disks;
        this.indexes = indexes;
        this.fills = fills;
        this.atOnce = atOnce;
        this.most = most;
        this.pool = new BoundedPool("wanted", atOnce, atOnce);
    }

    /// Takes as many of the blocks as fit, from the first on, and says how many; one that waits already
    /// counts as taken. Blocks nobody.
    public int want(List<BlockRequest> requests) {
        int taken;
        int begun;
        synchronized (this) {
            taken = take(requests);
            begun = Math.min(atOnce - working, waiting.size());
            working += begun;
        }
        for (int thread = 0; thread < begun; thread++) {
            var _ = pool.submit(this::work);
        }
        return taken;
    }

    /// Blocks that wait.
    public synchronized int waiting() {
        return waiting.size();
    }

    /// Forgets what waits, and takes nothing any more.
    public synchronized void stop() {
        stopped = true;
        waiting.clear();
    }

    /// Stops, and waits a moment for what is under way.
    @Override
    public void close() {
        stop();
        pool.close();
    }

    private synchronized int take(List<BlockRequest> requests) {
        for (int taken = 0; taken < requests.size(); taken++) {
            var request = requests.get(taken);
            if (stopped || waiting.size() >= most && !waiting.containsKey(request.id())) {
                return taken;
            }
            waiting.putIfAbsent(request.id(), request);
        }
        return requests.size();
    }

    private @Nullable Void work() {
        for (var request = next(); request != null; request = next()) {
            try {
                bring(request);
            } catch (IOException | RuntimeException e) {
                LOG.debugf("wanted block not filled block=%s reason=%s", request.id(), e.getMessage());
            } catch (OutOfMemoryError e) {
                // An index may be larger than what is left; this thread stays counted and goes on.
                LOG.warnf("no memory for a wanted block block=%s reason=%s", request.id(), e.getMessage());
            }
        }
        return null;
    }

    /// The one that has waited longest; where there is none, this thread is no longer at work.
    private synchronized @Nullable BlockRequest next() {
        var first = waiting.pollFirstEntry();
        if (first == null) {
            working--;
            return null;
        }
        return first.getValue();
    }

    private void bring(BlockRequest request) throws IOException {
        if (disks.has(request.id()) || fills.isUnderWay(request.id())) {
            return;
        }
        var plan = plan(request);
        for (var disk : disks.forFill(request.id())) {
            if (bring(plan, request.from(), disk)) {
                return;
            }
        }
        LOG.debugf("no free room for a wanted block block=%s", request.id());
    }

    /// A disk that hangs takes threads of this, but not all of them.
    private boolean bring(BlockPlan plan, FillFrom from, Disk disk) throws IOException {
        if (!disk.wanted().tryAcquire()) {
            return false;
        }
        try {
            if (!fills.reserveFree(plan, disk)) {
                return false;
            }
            fills.bring(plan, from, disk);
            return true;
        } finally {
            disk.wanted().release();
        }
    }

    private BlockPlan plan(BlockRequest request) {
        lookups.acquireUninterruptibly();
        try {
            return indexes.plan(request);
        } finally {
            lookups.release();
        }
    }
}
