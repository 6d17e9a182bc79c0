package io.tarpon.gateway.flow;

import io.tarpon.gateway.body.Piece;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The pieces of one response that are in work: the head is read, those behind it were asked for early, so that they
/// are on their way when their turn comes. On the event loop of its response.
final class Window {
    private final PieceSequence sequence;
    private final Function<Piece.OfBlock, List<BlockSource>> sources;
    private final Traffic traffic;
    private final Runnable wake;
    private final int size;
    private final Deque<PieceRead> reads = new ArrayDeque<>();

    Window(
            PieceSequence sequence,
            Function<Piece.OfBlock, List<BlockSource>> sources,
            Traffic traffic,
            Runnable wake,
            int size) {
        this.sequence = sequence;
        this.sources = sources;
        this.traffic = traffic;
        this.wake = wake;
        this.size = size;
    }

    /// The piece whose bytes are next; null where an index is awaited, could not be had, or at the end.
    @Nullable
    PieceRead head() {
        for (var head = reads.peek(); head != null && head.done(); head = reads.peek()) {
            reads.remove();
            head.close();
            traffic.endAhead(reads.isEmpty() ? 0 : 1);
        }
        fill();
        return reads.peek();
    }

    /// Whether every byte was polled.
    boolean atEnd() {
        return reads.isEmpty() && sequence.atEnd();
    }

    /// Why no more pieces come, or null.
    @Nullable
    Throwable failure() {
        return reads.isEmpty() ? sequence.failure() : null;
    }

    /// Turns from failed sources to the next ones, also behind the head.
    void leaveFailed() {
        reads.forEach(PieceRead::leaveFailed);
    }

    void close() {
        traffic.endAhead(Math.max(0, reads.size() - 1));
        reads.forEach(PieceRead::close);
        reads.clear();
    }

    /// Each piece behind the head holds one place to run ahead.
    private void fill() {
        while (reads.isEmpty() || (reads.size() < size && traffic.tryRunAhead())) {
            var piece = sequence.next();
            if (piece == null) {
                traffic.endAhead(reads.isEmpty() ? 0 : 1);
                return;
            }
            var read = new PieceRead(piece, sourcesOf(piece), wake);
            reads.add(read);
            read.start();
        }
    }

    private List<BlockSource> sourcesOf(Piece piece) {
        return switch (piece) {
            case Piece.OfLiteral _ -> List.of();
            case Piece.OfBlock block -> sources.apply(block);
        };
    }
}
