package io.tarpon.block;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The fills under way: one per block, whoever asks. A fill leaves only after its block is stored, so who finds
/// neither finds the block; who looked before that starts a fill which sees the stored block and takes it.
public final class Fills {
    private static final Logger LOG = Logger.getLogger(Fills.class);

    private final BlockFetch fetch;
    private final BoundedPool pool;
    private final ConcurrentMap<BlockId, Fill> underWay = new ConcurrentHashMap<>();

    /// @param pool whose threads write the blocks
    public Fills(BlockFetch fetch, BoundedPool pool) {
        this.fetch = fetch;
        this.pool = pool;
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
            var _ = pool.submit(() -> {
                        fetch.fetch(mine, from);
                        return mine;
                    })
                    .whenComplete((done, failure) -> ended(mine, failure));
        }
        return joined;
    }

    /// Brings a block before anybody asks for it, on this thread: from the moment that others find the fill
    /// it is at work, so none of them ever waits for a turn of it. Room for the block was kept by
    /// [#reserveFree]; it is given back where the block is on its way already. When it returns, the fill is
    /// over, however it ended.
    void bring(BlockPlan plan, FillFrom from) {
        var mine = new Fill(plan);
        var there = underWay.computeIfAbsent(plan.header().id(), _ -> mine);
        if (there != mine) {
            fetch.giveUp(plan);
            return;
        }
        Throwable failure = null;
        try {
            fetch.fetchReserved(mine, from);
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        ended(mine, failure);
    }

    /// As [BlockFetch#reserveFree].
    boolean reserveFree(BlockPlan plan) throws IOException {
        return fetch.reserveFree(plan);
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
