package io.tarpon.gateway.flow;

import io.netty.util.concurrent.EventExecutor;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.body.Pieces;
import io.tarpon.gateway.body.Segment;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.UnsentShare;
import java.io.IOException;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Function;

/// Writes one response body: takes checked bytes from the head of the window, in order, and sends them as fast as the
/// client takes them and no faster. The head of the response is written with the first bytes, so that what fails before
/// is answered as an error; what fails later breaks the connection, inside a member's data ([HoldBack]).
///
/// Threads: everything runs on the event loop of the connection. Workers and other connections only ever run
/// the wake, which hops onto the loop. `pump` may be reached from inside itself (a write that completes at
/// once, a source that wakes): then it only asks for one more turn. Races: a wake, a completed write or a
/// second failure after the end finds `state` changed and does nothing; a client that leaves cancels, which
/// closes every source before the loop turns again.
public final class BodyWriter {
    private final Outlet outlet;
    private final Traffic traffic;
    private final Window window;
    private final HoldBack holdBack = new HoldBack(this::send);
    private final StreamProgress progress;
    private final WaitClock clock;
    private final Pace pace;
    private final long length;
    private final Runnable onEnd;

    private State state = State.OPEN;
    /// Bytes that may be taken before the loop turns to others, and what was written is flushed: few at first, so that
    /// the first byte waits for no more than it must.
    private static final long FIRST_TURN = 64 << 10;

    private static final long TURN = 512 << 10;

    private final EventExecutor loop;
    private long turnLeft = FIRST_TURN;
    private boolean headWritten;
    private boolean pumping;
    private boolean again;

    /// Whether sources may have failed since they were looked at.
    private boolean leaveFailed;

    private long sentBytes;
    private long inFlight;

    private enum State {
        OPEN,
        /// Everything was given to the channel; its last bytes are on their way.
        FLUSHING,
        CLOSED
    }

    /// Where the bytes of pieces are found.
    ///
    /// @param blocks the places to ask for a piece of a block, in order, each made when its turn comes
    /// @param windowBlocks pieces in work at once
    public record Places(Function<Piece.OfBlock, Iterator<BlockSource>> blocks, int windowBlocks) {}

    /// @param length of the segments in sum
    /// @param progress is told how far it comes
    /// @param onEnd runs once, when the response is over in whatever way
    public BodyWriter(
            EventExecutor loop,
            Outlet outlet,
            Traffic traffic,
            Places places,
            Iterator<Segment> segments,
            long length,
            StreamProgress progress,
            Runnable onEnd) {
        this.progress = progress;
        this.loop = loop;
        this.outlet = outlet;
        this.traffic = traffic;
        this.length = length;
        this.onEnd = onEnd;
        this.clock = new WaitClock(traffic.meters(), progress);
        this.pace = new Pace(traffic.patience().leastBytesPerSecond());
        this.window = new Window(new Pieces(segments), places.blocks, traffic, this::wake, places.windowBlocks);
    }

    /// Begins. Call on the event loop.
    public void start() {
        pump();
    }

    /// The client has left: nothing more is sent.
    public void cancel() {
        close();
    }

    /// A look at how the client does, now and then: one that takes nothing for too long, or too little, is cut with
    /// a reset, because what waits for it cannot be brought to a place where a break is noticed.
    public void look(long nanos) {
        if (state == State.CLOSED) {
            return;
        }
        clock.turn();
        window.look(nanos);
        outlet.holdUnsent(UnsentShare.of(traffic.reads()));
        pace.look(nanos, outlet.accepted(), inFlight > 0);
        var stall = traffic.stall();
        if (pace.isBelowRate()) {
            cut("took less than " + traffic.patience().leastBytesPerSecond() + " bytes a second");
        } else if (pace.silence().compareTo(stall) > 0 && outlet.quiet().compareTo(stall) >= 0) {
            cut("took nothing for " + pace.silence().toSeconds() + " s");
        }
    }

    /// Breaks a response off that is not at its end, after what was already written: inside a member's data. One of
    /// which only the last bytes wait for the client is cut with a reset, because they may end anywhere.
    public void interrupt(Throwable why) {
        switch (state) {
            case OPEN -> fail(why);
            case FLUSHING -> cut("did not take the last bytes in time");
            case CLOSED -> {}
        }
    }

    private void cut(String reason) {
        close();
        outlet.reset(new IOException("the client " + reason));
    }

    private void wake() {
        if (state == State.OPEN) {
            leaveFailed = true;
            pump();
        }
    }

    private void pump() {
        again = true;
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (again) {
                again = false;
                if (leaveFailed) {
                    leaveFailed = false;
                    window.leaveFailed();
                }
                turn();
            }
        } catch (RuntimeException | VirtualMachineError e) {
            fail(e);
        } finally {
            pumping = false;
        }
    }

    private void turn() {
        while (state == State.OPEN) {
            if (turnLeft <= 0) {
                turnLeft = TURN;
                settleIfIdle();
                loop.execute(this::wake);
                return;
            }
            if (inFlight + holdBack.bytes() >= traffic.window()) {
                settleIfIdle();
                if (inFlight > 0) {
                    clock.waitForClient();
                    return;
                }
            }
            var head = window.head();
            if (head == null) {
                finish();
                return;
            }
            var chunk = head.poll();
            if (chunk != null) {
                take(head, chunk);
            } else {
                waitOrFail(head);
                return;
            }
        }
    }

    private void take(PieceRead head, Chunk chunk) {
        clock.run();
        turnLeft -= chunk.length();
        traffic.meters().bytes(head.origin(), chunk.length());
        var length = chunk.length();
        switch (head.piece()) {
            case Piece.OfLiteral _ -> holdBack.add(chunk, 0);
            case Piece.OfBlock block -> {
                if (head.done() && block.endsSample()) {
                    progress.sampleEnded();
                }
                if (length == block.length() && block.isSurelySafe()) {
                    holdBack.add(chunk, () -> block.safe(0, length));
                } else {
                    holdBack.add(chunk, block.safe(head.position() - length, length));
                }
            }
        }
    }

    /// While bytes are on their way to the client, those that are kept back lose nothing by waiting: cut at each full
    /// window, every chunk would be two writes.
    private void settleIfIdle() {
        if (inFlight == 0) {
            holdBack.settle();
        }
    }

    private void waitOrFail(PieceRead head) {
        var failure = head.failure();
        if (failure == null) {
            settleIfIdle();
            clock.waitForStorage();
            pushIfWritten();
        } else {
            fail(failure);
        }
    }

    private void finish() {
        writeHead();
        holdBack.drain();
        if (sentBytes == length) {
            // Not before: a write may complete at once, and the last one ends the response.
            state = State.FLUSHING;
            endWhenFlushed();
        } else {
            fail(new IllegalStateException("a body of " + sentBytes + " bytes, not " + length));
        }
    }

    private void send(Chunk chunk) {
        writeHead();
        inFlight += chunk.length();
        sentBytes += chunk.length();
        progress.sent(chunk.length());
        outlet.write(chunk, this::written);
    }

    private void writeHead() {
        if (!headWritten) {
            headWritten = true;
            outlet.holdUnsent(UnsentShare.of(traffic.reads()));
            outlet.head(length);
        }
    }

    private void written(long bytes) {
        inFlight -= bytes;
        if (state == State.OPEN) {
            pump();
            pushIfWritten();
        } else {
            endWhenFlushed();
        }
    }

    /// While the storage is waited for, what the system keeps for a full packet is all there is.
    private void pushIfWritten() {
        if (headWritten && inFlight == 0 && clock.isWaitingForStorage()) {
            outlet.push();
        }
    }

    /// Only when the last byte left, so that requests that were pipelined cannot pile up answers.
    private void endWhenFlushed() {
        if (state == State.FLUSHING && inFlight == 0) {
            close();
            outlet.end();
        }
    }

    private void fail(Throwable why) {
        if (state == State.CLOSED) {
            return;
        }
        if (headWritten) {
            // What is at hand and may be the last; a write that completes at once must not go on from here.
            pumping = true;
            holdBack.settle();
        }
        close();
        if (headWritten) {
            outlet.breakOff(why);
        } else {
            outlet.refuse(why instanceof TarponException ? why : unavailable(why));
        }
    }

    private void close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            clock.run();
            window.close();
            holdBack.release();
            onEnd.run();
        }
    }

    private static TarponException unavailable(Throwable why) {
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE,
                "no block service and not the object store could serve these bytes: "
                        + Objects.requireNonNullElse(why.getMessage(), why.toString()) + "; try again",
                why);
    }
}
