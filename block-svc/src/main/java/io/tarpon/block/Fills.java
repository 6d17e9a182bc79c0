package io.tarpon.block;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The fills under way: one per block, whoever asks. A fill leaves only after its block is stored, so who finds
/// neither finds the block; who looked before that starts a fill which sees the stored block and takes it.
public final class Fills {
    private static final Logger LOG = Logger.getLogger(Fills.class);

    private final BlockFetch fetch;
    private final Disks disks;
    private final ConcurrentMap<BlockId, Fill> underWay = new ConcurrentHashMap<>();

    Fills(BlockFetch fetch, Disks disks) {
        this.fetch = fetch;
        this.disks = disks;
    }

    /// The block's fill if there is one, joined: the caller releases it.
    Optional<Fill> join(BlockId id) {
        return Optional.ofNullable(underWay.get(id)).filter(Fill::join);
    }

    /// The block's fill, begun if there is none, joined: the caller releases it.
    Fill start(BlockPlan plan, FillFrom from) {
        var mine = new Fill(plan);
        var joined = underWay.compute(plan.header().id(), (id, there) -> there != null && there.join() ? there : mine);
        if (joined == mine) {
            mine.join();
            attempt(mine, from, disks.forFill(plan.header().id()).iterator(), null);
        }
        return joined;
    }

    /// Fills the block onto the next disk, and onto the one after it where that does not take it: it is full, fails or
    /// does not answer, and no byte was promised yet.
    private void attempt(Fill fill, FillFrom from, Iterator<Disk> disksLeft, @Nullable Throwable before) {
        if (!disksLeft.hasNext()) {
            ended(fill, before == null ? noDisk(fill) : before);
            return;
        }
        var attempt = fill.nextAttempt();
        if (attempt.isEmpty()) {
            ended(fill, before);
            return;
        }
        var disk = disksLeft.next();
        var _ = disk.filling()
                .start(result -> fetch.fetch(fill, attempt.getAsInt(), from, disk, result))
                .whenComplete((_, failure) -> {
                    if (failure != null && BlockFetch.isOfTheDisk(failure)) {
                        attempt(fill, from, disksLeft, failure);
                    } else {
                        ended(fill, failure);
                    }
                });
    }

    private static TarponException noDisk(Fill fill) {
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE,
                "no disk of this node takes block " + fill.plan().header().id() + " now; ask another node");
    }

    /// Brings a block before anybody asks for it, on this thread: from the moment that others find the fill
    /// it is at work, so none of them ever waits for a turn of it. Room for the block was kept by
    /// [#reserveFree]; it is given back where the block is on its way already. When it returns, the fill is
    /// over, however it ended.
    void bring(BlockPlan plan, FillFrom from, Disk disk) {
        var mine = new Fill(plan);
        var there = underWay.computeIfAbsent(plan.header().id(), _ -> mine);
        if (there != mine) {
            fetch.giveUp(plan, disk);
            return;
        }
        var result = new CompletableFuture<Void>();
        var _ = result.whenComplete((_, failure) -> ended(mine, failure));
        try {
            fetch.fetchReserved(mine, mine.nextAttempt().orElseThrow(), from, disk, result);
            result.complete(null);
        } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    /// As [BlockFetch#reserveFree].
    boolean reserveFree(BlockPlan plan, Disk disk) throws IOException {
        return fetch.reserveFree(plan, disk);
    }

    boolean isUnderWay(BlockId id) {
        return underWay.containsKey(id);
    }

    /// How many blocks are on their way.
    public int count() {
        return underWay.size();
    }

    private void ended(Fill fill, @Nullable Throwable failure) {
        var id = fill.plan().header().id();
        underWay.remove(id, fill);
        if (failure != null) {
            LOG.warnf(
                    "block not filled block=%s shard=%s reason=%s",
                    id, fill.plan().shard(), failure.getMessage());
            fill.fail(failure);
        }
        fill.release();
    }
}
