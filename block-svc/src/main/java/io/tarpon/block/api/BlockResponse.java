package io.tarpon.block.api;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.FileRegion;
import io.netty.channel.unix.Errors;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.tarpon.block.BlockBytes;
import io.tarpon.block.BlockReads;
import io.tarpon.block.BlockRequest;
import io.tarpon.blocks.SlowReaders;
import io.tarpon.service.Problems;
import io.tarpon.wire.http.ByteRange;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One answer with bytes of a block, sent by `sendfile` in pieces, one piece in flight: that is the whole window,
/// since a piece leaves no copy in memory. Before the head is sent whatever goes wrong is answered as a problem;
/// after it, the connection is broken, so that no answer ends short and clean.
///
/// Confined to the connection's event loop: every continuation hops there first. The block is released exactly
/// once, in [#finish], which comes at the end, at a failure, or when the client leaves; a piece in flight keeps the
/// file open by itself.
final class BlockResponse {
    private static final Logger LOG = Logger.getLogger(BlockResponse.class);

    /// Small enough that the idle time-out of a connection, which counts pieces, comes after [SlowReaders] does.
    private static final long PIECE_BYTES = 1 << 20;

    private final RoutingContext routing;
    private final HttpServerResponse response;
    private final ConnectionBase connection;
    private final Context loop;
    private final BlockReads reads;
    private final SlowReaders slow;
    private final BlockRequest request;
    private @Nullable BlockBytes bytes;
    private @Nullable FileRegion piece;
    private SlowReaders.@Nullable Watch watch;
    private long watchTimer;
    private boolean mended;
    private boolean finished;
    private long at;
    private long checkedTo;
    private long end;

    BlockResponse(RoutingContext routing, BlockReads reads, SlowReaders slow, BlockRequest request) {
        this.routing = routing;
        this.response = routing.response();
        this.connection = (ConnectionBase) routing.request().connection();
        this.loop = routing.vertx().getOrCreateContext();
        this.reads = reads;
        this.slow = slow;
        this.request = request;
    }

    void start() {
        routing.addEndHandler(ended -> finish());
        then(reads.read(request), this::opened);
    }

    private void opened(@Nullable BlockBytes opened, @Nullable Throwable failure) {
        if (opened == null) {
            refuse("block not opened", failure);
            return;
        }
        if (finished) {
            opened.release();
            return;
        }
        bytes = opened;
        switch (ByteRange.of(routing.request().getHeader(HttpHeaderNames.RANGE), opened.length())) {
            case ByteRange.Whole() -> from(0, opened.length());
            case ByteRange.Part(long from, long to) -> {
                response.setStatusCode(206);
                response.putHeader(
                        HttpHeaderNames.CONTENT_RANGE, "bytes " + from + "-" + (to - 1) + "/" + opened.length());
                from(from, to);
            }
            case ByteRange.Unsatisfiable() -> {
                response.putHeader(HttpHeaderNames.CONTENT_RANGE, "bytes */" + opened.length());
                var detail = "block " + request.id() + " has " + opened.length() + " bytes";
                refuse(detail, new TarponException(ProblemType.RANGE_NOT_SATISFIABLE, detail));
            }
        }
    }

    private void from(long from, long to) {
        at = from;
        checkedTo = from;
        end = to;
        await();
    }

    /// Asks for the next checked bytes.
    private void await() {
        if (bytes != null) {
            if (watch != null) {
                watch.waitsForUs();
            }
            then(bytes.readable(at, end), this::checked);
        }
    }

    private void checked(@Nullable Long to, @Nullable Throwable failure) {
        if (finished || bytes == null) {
            return;
        }
        if (to != null) {
            checkedTo = to;
            sendHead(bytes);
            sendPiece(bytes);
        } else if (!response.headWritten() && bytes.hit() && !mended && failure != null && isOfTheFile(failure)) {
            mended = true;
            var failed = bytes;
            failed.release();
            bytes = null;
            response.headers().remove(HttpHeaderNames.CONTENT_RANGE);
            then(reads.readAfterFailure(request, failed, Problems.cause(failure)), this::opened);
        } else {
            refuse("bytes not readable", failure);
        }
    }

    private void sendHead(BlockBytes from) {
        if (!response.headWritten()) {
            reads.served(from);
            BlockHead.put(response, request.id(), from.hit(), end - at);
            var _ = response.writeHead();
        }
    }

    private void sendPiece(BlockBytes from) {
        var to = Math.min(checkedTo, at + PIECE_BYTES);
        var sent = connection.channelHandlerContext().newPromise();
        var region = from.region(at, to);
        piece = region;
        sent.addListener((ChannelFuture done) -> pieceSent(done, to));
        connection.writeToChannel(region, sent);
        if (watch == null && !sent.isDone()) {
            // What the system took by itself is gone when this runs: most answers need no watch.
            loop.runOnContext(_ -> watch(region));
        }
    }

    private void pieceSent(ChannelFuture done, long to) {
        if (finished || bytes == null) {
            return;
        }
        if (!done.isSuccess()) {
            notSent(done.cause());
            return;
        }
        piece = null;
        at = to;
        if (at == end) {
            finish();
            var _ = response.end();
        } else if (at < checkedTo) {
            sendPiece(bytes);
        } else {
            await();
        }
    }

    /// From the first piece on that the client does not take at once.
    @SuppressWarnings("ReferenceEquality") // the same piece, not an equal one
    private void watch(FileRegion waiting) {
        if (finished || watch != null || piece != waiting) {
            return;
        }
        var begun = slow.watch(System.nanoTime(), at);
        watch = begun;
        watchTimer = routing.vertx().setPeriodic(slow.lookEvery().toMillis(), _ -> {
            if (piece == null) {
                begun.waitsForUs();
            }
            if (begun.isTooSlow(System.nanoTime(), piece == null ? at : at + piece.transferred())) {
                cut();
            }
        });
    }

    /// Resets the connection, so that the system gives up what the client has not taken either.
    private void cut() {
        LOG.infof("slow reader cut block=%s sent=%d of=%d", request.id(), at, end);
        finish();
        var context = connection.channelHandlerContext();
        context.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        // From here down: the connection itself would wait until the client has taken the piece.
        var _ = context.close();
    }

    /// Mostly the client left, which is its right; a file that was cut under the piece is not.
    private void notSent(@Nullable Throwable failure) {
        if (failure instanceof Errors.NativeIoException || failure instanceof ClosedChannelException) {
            LOG.debugf("client left block=%s sent=%d of=%d", request.id(), at, end);
            finish();
            var _ = connection.close();
        } else {
            refuse("piece not sent", failure);
        }
    }

    /// Ends this answer: as a problem while that is possible, else by breaking the connection.
    private void refuse(String what, @Nullable Throwable failure) {
        finish();
        if (response.headWritten()) {
            LOG.warnf("connection broken block=%s sent=%d of=%d reason=%s: %s", request.id(), at, end, what, failure);
            var _ = connection.close();
        } else if (failure != null) {
            Refusal.answer(routing, failure);
        }
    }

    private void finish() {
        finished = true;
        if (watch != null) {
            watch = null;
            routing.vertx().cancelTimer(watchTimer);
        }
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }

    /// It is damaged, or its disk failed or does not answer.
    private static boolean isOfTheFile(Throwable failure) {
        return Problems.cause(failure) instanceof IOException;
    }

    /// Goes on on the event loop: at once where the stage is complete, which is so for every hot read.
    private <T> void then(CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> next) {
        var future = stage.toCompletableFuture();
        if (future.isDone()) {
            var _ = future.whenComplete(next);
        } else {
            var _ = future.whenComplete((value, failure) -> loop.runOnContext(_ -> next.accept(value, failure)));
        }
    }
}
