package io.tarpon.gateway.flow;

import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.body.Pieces;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.wire.index.ShardLayout;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The pieces of a body, cut when they are asked for. Waits for the layout of a shard where it is not at hand. On the
/// event loop of its response.
final class PieceSequence {
    private final Iterator<Segment> segments;
    private final Function<SealedShard, CompletableFuture<ShardLayout>> layouts;
    private final Runnable wake;
    private Iterator<? extends Piece> pieces = Collections.emptyIterator();
    private Segment.@Nullable ShardRange waiting;
    private @Nullable CompletableFuture<ShardLayout> layout;

    /// @param wake runs, on any thread, when a layout that was waited for is there or failed
    PieceSequence(
            Iterator<Segment> segments, Function<SealedShard, CompletableFuture<ShardLayout>> layouts, Runnable wake) {
        this.segments = segments;
        this.layouts = layouts;
        this.wake = wake;
    }

    /// The next piece; null where a layout is awaited, where one could not be had, or at the end.
    @Nullable
    Piece next() {
        while (!pieces.hasNext()) {
            if (waiting == null && !segments.hasNext()) {
                return null;
            }
            if (waiting == null) {
                begin(segments.next());
            }
            if (!enterRange()) {
                return null;
            }
        }
        return pieces.next();
    }

    boolean atEnd() {
        return waiting == null && !pieces.hasNext() && !segments.hasNext();
    }

    /// Why no more pieces come, or null.
    @Nullable
    Throwable failure() {
        return layout != null && layout.isCompletedExceptionally() ? layout.exceptionNow() : null;
    }

    private void begin(Segment segment) {
        switch (segment) {
            case Segment.Literal literal ->
                pieces = Collections.singleton(new Piece.OfLiteral(literal)).iterator();
            case Segment.WholeSample sample -> pieces = Pieces.of(sample);
            case Segment.LaidOutRange range -> pieces = Pieces.of(range);
            case Segment.ShardRange range -> {
                waiting = range;
                layout = layouts.apply(range.shard());
                if (!layout.isDone()) {
                    var _ = layout.whenComplete((_, _) -> wake.run());
                }
            }
        }
    }

    /// Says whether there is no range, or its layout is at hand.
    private boolean enterRange() {
        if (waiting == null || layout == null) {
            return true;
        }
        if (layout.state() != CompletableFuture.State.SUCCESS) {
            return false;
        }
        pieces = Pieces.of(waiting, layout.resultNow());
        waiting = null;
        layout = null;
        return true;
    }
}
