package io.tarpon.gateway.flow;

import io.tarpon.gateway.body.Piece;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One piece on its way: asks the first source, and where that fails the next one, from the same byte. On the event
/// loop of its response.
final class PieceRead {
    private final Piece piece;
    private final Iterator<BlockSource> sources;
    private final Runnable wake;
    private @Nullable BlockBytes current;
    private @Nullable BlockSource asked;
    private boolean askAgain;
    private @Nullable Throwable failure;
    private long position;

    /// @param sources in the order they are asked; none for a literal
    PieceRead(Piece piece, Iterator<BlockSource> sources, Runnable wake) {
        this.piece = piece;
        this.sources = sources;
        this.wake = wake;
    }

    Piece piece() {
        return piece;
    }

    /// Bytes of the piece that were polled.
    long position() {
        return position;
    }

    boolean done() {
        return position == piece.length();
    }

    /// Asks the first source, unless that was done.
    void start() {
        if (current == null && failure == null && !done()) {
            next();
        }
    }

    /// The next bytes; null where they are awaited, where the piece is done, or where no source is left.
    @Nullable
    Chunk poll() {
        start();
        while (current != null && !done()) {
            var chunk = current.poll();
            if (chunk != null) {
                position += chunk.length();
                return chunk;
            }
            if (!leaveFailed()) {
                return null;
            }
        }
        return null;
    }

    /// Turns to the next source where the current one failed, or to the same one again where it only gave up waiting
    /// for us. Says whether it did.
    boolean leaveFailed() {
        var failed = current == null ? null : current.failure();
        if (current == null || failed == null || done()) {
            return false;
        }
        current.close();
        current = null;
        failure = failed;
        askAgain = failed instanceof TiredSourceException;
        next();
        return true;
    }

    BlockBytes.Origin origin() {
        return Objects.requireNonNull(current).origin();
    }

    /// Why no source is left, or null while there is one.
    @Nullable
    Throwable failure() {
        return current == null && !done() ? failure : null;
    }

    void look(long nanos) {
        if (current != null) {
            current.look(nanos);
        }
    }

    void close() {
        if (current != null) {
            current.close();
        }
    }

    private void next() {
        switch (piece) {
            case Piece.OfLiteral literal -> current = new LiteralBytes(literal.literal());
            case Piece.OfBlock block -> {
                if (!askAgain) {
                    asked = sources.hasNext() ? sources.next() : null;
                }
                askAgain = false;
                if (asked != null) {
                    current = asked.open(block.after(position), wake);
                }
            }
        }
    }
}
