package io.tarpon.gateway.epoch;

import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.ShardPlans;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.gateway.target.PositionOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Which samples come at which positions of an epoch, and what they were made of, as JSON lines.
///
/// Threads: any; nothing blocks.
public final class EpochPositions {
    private static final int BYTES_A_PLACE = 96;

    private final SplitLayouts layouts;
    private final ShardPlans plans;
    private final Executor executor;

    /// @param executor orders samples and makes lines; what is read is waited for on none of its threads
    public EpochPositions(SplitLayouts layouts, ShardPlans plans, Executor executor) {
        this.layouts = layouts;
        this.plans = plans;
        this.executor = executor;
    }

    /// Fails with `bad-parameter` for positions that are not there, with `overloaded` where the lines' memory is
    /// taken.
    ///
    /// @param heap that the lines are charged to
    CompletableFuture<Body> open(
            SealedSplit split, long seed, long epoch, PositionOptions options, HeapBudget.Charge heap) {
        EpochBodies.requireOrder(split);
        var count = options.stretch(split.shards().samples()).count();
        heap.grow(BYTES_A_PLACE * count);
        return layouts.of(split.shards())
                .thenApplyAsync(layout -> places(split, layout, seed, epoch, options), executor)
                .thenCompose(places -> new PositionPage(split, places, plans, heap).lines(executor));
    }

    /// By ordinal, so that those of one shard stand side by side.
    private static List<PositionPage.Place> places(
            SealedSplit split, SplitLayout layout, long seed, long epoch, PositionOptions options) {
        var reader =
                EpochBodies.order(layout, split, seed, epoch, options.shuffle()).reader();
        var stretch = options.stretch(split.shards().samples());
        var places = new ArrayList<PositionPage.Place>();
        for (int line = 0; line < stretch.count(); line++) {
            var position = stretch.start() + line;
            places.add(new PositionPage.Place(position, line, reader.applyAsLong(position)));
        }
        places.sort(Comparator.comparingLong(PositionPage.Place::ordinal));
        return places;
    }
}
