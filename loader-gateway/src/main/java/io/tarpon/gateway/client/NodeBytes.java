package io.tarpon.gateway.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.BufferChunk;
import io.tarpon.gateway.flow.Chunk;
import io.tarpon.gateway.flow.DamagedBytesException;
import io.tarpon.gateway.flow.SubBlockGate;
import io.tarpon.gateway.flow.TiredSourceException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A piece of a block from a node: the request widened to whole sub-blocks, each let through when it was checked. Reads
/// the socket only when bytes are wanted, so that what is ahead waits in the kernel's buffers.
///
/// Threads: everything on the event loop of the response, which is that of the connection. A kept connection
/// that the node closed meanwhile fails before the first byte of an answer: then the request is sent once more
/// on a new one. Every end, good or bad, passes through `finish` once.
///
/// A node gives up on a reader that takes nothing for long. What it had sent by then is still in the kernel's buffers
/// and comes first, so its leaving may be seen only a while after more was wanted: a failure soon after a long pause
/// is laid to the pause too.
final class NodeBytes implements BlockBytes, NodeConnection.Exchange {
    private static final long LONG_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeBlocks nodes;
    private final NodeBlocks.Asked asked;
    private final LoopConnections connections;
    private final Piece.OfBlock piece;
    private final SubBlockGate gate;
    private final Runnable wake;
    private @Nullable NodeConnection connection;
    private @Nullable IOException failure;
    private @Nullable TiredSourceException tired;
    private boolean finished;
    private boolean headSeen;
    private boolean wanted = true;
    private long pauseEnded = System.nanoTime() - SOON_NANOS;
    private long lastNews = System.nanoTime();
    private @Nullable ScheduledFuture<?> watch;

    NodeBytes(
            NodeBlocks nodes, NodeBlocks.Asked asked, LoopConnections connections, Piece.OfBlock piece, Runnable wake) {
        this.nodes = nodes;
        this.asked = asked;
        this.connections = connections;
        this.piece = piece;
        this.gate = new SubBlockGate(piece);
        this.wake = wake;
    }

    void start() {
        watch(nodes.timeoutNanos());
        // Later, because a connection may fail at once and nobody has these bytes yet.
        asked.loop().execute(() -> connect(false));
    }

    @Override
    public @Nullable Chunk poll() {
        var ready = gate.poll();
        if (ready != null) {
            return new BufferChunk(ready);
        }
        if (tired != null) {
            failure = tired;
            return null;
        }
        if (!wanted && !finished && connection != null) {
            wanted = true;
            goOn(System.nanoTime());
            connection.read();
        }
        return null;
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public Origin origin() {
        return Origin.REMOTE;
    }

    @Override
    public void close() {
        finish();
        gate.release();
    }

    private void connect(boolean fresh) {
        if (!finished) {
            connections.acquire(asked.address(), fresh, this::send, this::failed);
        }
    }

    private void send(NodeConnection acquired) {
        if (finished) {
            connections.release(asked.address(), acquired);
            return;
        }
        connection = acquired;
        acquired.send(request(), gate.requestTo() - gate.requestFrom(), this);
    }

    private FullHttpRequest request() {
        var shard = piece.shard().ref();
        var uri = "/v1/blocks/" + piece.blockId() + "?shard=" + shard.path() + "&block=" + piece.block();
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, uri, Unpooled.EMPTY_BUFFER);
        request.headers().set(HttpHeaderNames.HOST, asked.address().authority());
        if (asked.traceparent() != null) {
            request.headers().set("traceparent", asked.traceparent());
        }
        if (!isWholeBlock()) {
            request.headers().set(HttpHeaderNames.RANGE, "bytes=" + gate.requestFrom() + "-" + (gate.requestTo() - 1));
        }
        return request;
    }

    private boolean isWholeBlock() {
        return gate.requestFrom() == 0
                && gate.requestTo() == piece.layout().block(piece.block()).length();
    }

    @Override
    public void head(HttpResponse response) throws IOException {
        headSeen = true;
        var expected = isWholeBlock() ? 200 : 206;
        var status = response.status().code();
        if (status != expected) {
            throw new IOException("the node answered " + status + ", not " + expected);
        }
        if (HttpUtil.getContentLength(response, -1L) != gate.requestTo() - gate.requestFrom()) {
            throw new IOException("the node's answer is not as long as asked for");
        }
        var range = response.headers().get(HttpHeaderNames.CONTENT_RANGE);
        if (status == 206 && (range == null || !range.startsWith("bytes " + gate.requestFrom() + "-"))) {
            throw new IOException("the node answered another range");
        }
    }

    @Override
    public void content(ByteBuf bytes) throws IOException {
        gate.offer(bytes);
    }

    @Override
    public void readDone() {
        // A connection that is reset is read without being asked; that ends no pause.
        if (wanted) {
            lastNews = System.nanoTime();
            wanted = false;
        }
        wake.run();
    }

    @Override
    public void end(NodeConnection free) throws IOException {
        if (!gate.complete()) {
            free.abandon();
            failed(new IOException("the node's answer is short"));
            return;
        }
        connection = null;
        finish();
        connections.release(asked.address(), free);
        nodes.worked(asked);
        wake.run();
    }

    @Override
    public void failed(IOException cause) {
        var stale = connection != null && connection.isReused() && !headSeen;
        connection = null;
        if (finished) {
            return;
        }
        if (stale) {
            connect(true);
            return;
        }
        if (isForPausing() && !(cause instanceof DamagedBytesException)) {
            // Known only when more is wanted, so that the node is not asked in vain.
            tired = new TiredSourceException(cause);
            finish();
            if (wanted) {
                wake.run();
            }
            return;
        }
        failure = cause;
        finish();
        var silence = Duration.ofNanos(System.nanoTime() - lastNews);
        nodes.failed(asked, piece, cause, cause instanceof DamagedBytesException, silence);
        wake.run();
    }

    private void goOn(long now) {
        if (now - lastNews >= LONG_PAUSE_NANOS) {
            pauseEnded = now;
        }
        lastNews = now;
    }

    private boolean isForPausing() {
        return !wanted || System.nanoTime() - pauseEnded < SOON_NANOS;
    }

    private void finish() {
        finished = true;
        if (watch != null) {
            watch.cancel(false);
            watch = null;
        }
        if (connection != null) {
            connection.abandon();
            connection = null;
        }
    }

    /// Fails the exchange when bytes are wanted and nothing came for too long.
    private void watch(long nanos) {
        watch = asked.loop().schedule(this::failIfSilent, nanos, TimeUnit.NANOSECONDS);
    }

    private void failIfSilent() {
        if (finished) {
            return;
        }
        var silence = wanted ? System.nanoTime() - lastNews : 0;
        if (silence < nodes.timeoutNanos()) {
            watch(nodes.timeoutNanos() - silence);
            return;
        }
        var slow = connection;
        connection = null;
        if (slow != null) {
            slow.abandon();
        }
        failed(new IOException("no byte for " + silence / 1_000_000 + " ms"));
    }
}
