package io.tarpon.gateway.flow;

import io.tarpon.gateway.body.Piece;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The pieces of one response that are in work: the head is read, those behind it were asked for early, so that they
/// are on their way when their turn comes. How far it runs ahead is counted in bytes, so that small samples are asked
/// for in greater number than large blocks. On the event loop of its response.
final class Window {
    /// Pieces in work for each block that may be.
    static final int PIECES_A_BLOCK = 8;

    private final Iterator<Piece> pieces;
    private final Function<Piece.OfBlock, Iterator<BlockSource>> sources;
    private final Traffic traffic;
    private final Runnable wake;
    private final int mostPieces;
    private final long mostAhead;
    private final Deque<InWork> reads = new ArrayDeque<>();
    private @Nullable Piece next;
    private long ahead;

    /// @param pieces of the body, each cut when its turn comes
    /// @param blocks in work at once, where pieces are whole blocks
    Window(
            Iterator<Piece> pieces,
            Function<Piece.OfBlock, Iterator<BlockSource>> sources,
            Traffic traffic,
            Runnable wake,
            int blocks) {
        this.pieces = pieces;
        this.sources = sources;
        this.traffic = traffic;
        this.wake = wake;
        this.mostPieces = blocks * PIECES_A_BLOCK;
        this.mostAhead = (long) (blocks - 1) * Traffic.aheadBytes(Long.MAX_VALUE);
    }

    /// @param ahead bytes taken of the traffic's until it is the head
    private record InWork(PieceRead read, int ahead) {}

    /// The piece whose bytes are next; null when every byte was polled.
    @Nullable
    PieceRead head() {
        for (var head = reads.peek(); head != null && head.read.done(); head = reads.peek()) {
            reads.remove();
            head.read.close();
            var following = reads.peek();
            if (following != null) {
                giveBack(following.ahead);
            }
        }
        fill();
        var head = reads.peek();
        return head == null ? null : head.read;
    }

    /// Turns from failed sources to the next ones, also behind the head.
    void leaveFailed() {
        reads.forEach(work -> work.read.leaveFailed());
    }

    /// Lets sources see that time passes.
    void look(long nanos) {
        reads.forEach(work -> work.read.look(nanos));
    }

    void close() {
        // What the head took was given back when it became the head.
        giveBack((int) ahead);
        reads.forEach(work -> work.read.close());
        reads.clear();
    }

    private void giveBack(int bytes) {
        ahead -= bytes;
        traffic.endAhead(bytes);
    }

    private void fill() {
        while (reads.size() < mostPieces) {
            var piece = next == null && pieces.hasNext() ? pieces.next() : next;
            next = piece;
            var bytes = piece == null || reads.isEmpty() ? 0 : Traffic.aheadBytes(piece.length());
            if (piece == null || ahead + bytes > mostAhead || (bytes > 0 && !traffic.tryRunAhead(bytes))) {
                return;
            }
            next = null;
            ahead += bytes;
            var read = new PieceRead(piece, sourcesOf(piece), wake);
            reads.add(new InWork(read, bytes));
            read.start();
        }
    }

    private Iterator<BlockSource> sourcesOf(Piece piece) {
        return switch (piece) {
            case Piece.OfLiteral _ -> Collections.emptyIterator();
            case Piece.OfBlock block -> sources.apply(block);
        };
    }
}
