package io.tarpon.gateway.api;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.tarpon.gateway.flow.BodyWriter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection of a client, between the HTTP codec and Vert.x: knows whether a request is coming in and whether an
/// answer goes out, and ends the connection when either takes too long. Everything on the connection's event loop.
///
/// Two ways to end. Gently: nothing more is read as a request, what was written leaves, then a FIN; the socket stays
/// until the client closes too, for a bounded time, because a close with unread bytes sends a reset, which overtakes
/// the answer. By a reset: what the kernel holds for the client is dropped. Both close below Vert.x, which closes a
/// connection only after what was written has left: a client that takes nothing would keep it for ever.
///
/// Requests that are pipelined are read no further while many are unanswered, or while answers wait for the client.
final class ClientConnection extends ChannelDuplexHandler {
    private static final AttributeKey<ClientConnection> KEY = AttributeKey.valueOf(ClientConnection.class, "client");
    private static final int LINGER_SECONDS = 2;
    private static final int RESET = 0;

    /// Requests that may be unanswered before no more is read. One read may bring more of them.
    private static final int MOST_UNANSWERED = 16;

    private final Channel channel;
    private final LoopConnections home;
    private Incoming incoming = Incoming.NOTHING;
    private long since = System.nanoTime();
    private int unanswered;
    private long unsent;
    private boolean messageSeen;
    private boolean ending;
    private boolean flushed;
    private boolean readsHeld;
    private @Nullable ChannelHandlerContext below;
    private @Nullable BodyWriter body;

    private enum Incoming {
        NOTHING,
        /// Bytes that are no whole request head yet.
        HEAD,
        BODY
    }

    private ClientConnection(Channel channel, LoopConnections home) {
        this.channel = channel;
        this.home = home;
    }

    /// Puts itself into a new channel that Vert.x has made ready.
    static void on(Channel channel, LoopConnections home) {
        var connection = new ClientConnection(channel, home);
        channel.attr(KEY).set(connection);
        channel.pipeline().addBefore("handler", "client", connection);
        home.add(connection);
    }

    static ClientConnection of(Channel channel) {
        return channel.attr(KEY).get();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        below = context;
    }

    /// How much the kernel may hold for the client that it has not sent yet.
    void holdUnsent(long bytes) {
        if (unsent != bytes && channel.isActive() && channel instanceof EpollSocketChannel socket) {
            unsent = bytes;
            socket.config().setTcpNotSentLowAt(bytes);
        }
    }

    /// Whether the kernel keeps a packet that is not full, at most 200 ms, for what is written next.
    void hold(boolean corked) {
        if (channel.isActive() && channel instanceof EpollSocketChannel socket) {
            socket.config().setTcpCork(corked);
        }
    }

    /// A body is being sent from now on; null when it is over.
    void sends(@Nullable BodyWriter writer) {
        body = writer;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        messageSeen = true;
        if (ending) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest) {
            unanswered++;
            incoming = Incoming.BODY;
            since = System.nanoTime();
        }
        if (message instanceof LastHttpContent) {
            incoming = Incoming.NOTHING;
        }
        context.fireChannelRead(message);
        if (unanswered >= MOST_UNANSWERED || !channel.isWritable()) {
            readsHeld = true;
            channel.config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        readOn();
        context.fireChannelWritabilityChanged();
    }

    private void readOn() {
        if (readsHeld && unanswered < MOST_UNANSWERED && channel.isWritable()) {
            readsHeld = false;
            channel.config().setAutoRead(true);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (!messageSeen && incoming == Incoming.NOTHING) {
            incoming = Incoming.HEAD;
            since = System.nanoTime();
        }
        messageSeen = false;
        context.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!(message instanceof LastHttpContent) || isInformational(message)) {
            var _ = context.write(message, promise);
            return;
        }
        unanswered--;
        if (incoming == Incoming.NOTHING) {
            since = System.nanoTime();
        }
        if (unanswered == 0 && home.isDraining()) {
            var _ = context.write(message, promise.unvoid()).addListener(_ -> endGently());
        } else {
            var _ = context.write(message, promise);
        }
        readOn();
    }

    /// Vert.x closes what it finds broken at once; the answer to it would be lost.
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (ending && !flushed) {
            endGently();
        } else {
            var _ = context.close(promise);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        home.remove(this);
        context.fireChannelInactive();
    }

    /// Reads no more requests from here on.
    void refuseMore() {
        ending = true;
    }

    /// Ends the connection when everything written has left. What does not leave in a bounded time is dropped with
    /// a reset.
    void endGently() {
        if (ending && flushed || !channel.isActive()) {
            return;
        }
        ending = true;
        var _ = channel.eventLoop().schedule(this::endAtLast, LINGER_SECONDS, TimeUnit.SECONDS);
        // In another turn of the loop: Vert.x may have put writes off to it.
        channel.eventLoop().execute(() -> {
            var _ = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> shutOutput());
        });
    }

    void reset() {
        ending = true;
        flushed = true;
        if (channel.isActive()) {
            channel.config().setOption(ChannelOption.SO_LINGER, RESET);
            closeBelow();
        }
    }

    /// Looks whether it is time to end.
    void look(long nanos, LoopConnections.Patience patience) {
        var waited = nanos - since;
        var late = switch (incoming) {
            case HEAD -> unanswered == 0 && waited > patience.headNanos();
            case BODY -> waited > patience.bodyNanos();
            case NOTHING -> unanswered == 0 && waited > patience.idleNanos();
        };
        if (late) {
            ending = true;
            flushed = true;
            closeBelow();
        } else if (body != null) {
            body.look(nanos);
        }
    }

    /// Ends as soon as nothing is unanswered.
    void drain() {
        if (unanswered == 0) {
            endGently();
        }
    }

    /// Ends now: a body is broken off, anything else is dropped. Says whether an answer was cut.
    boolean interrupt(Throwable why) {
        if (body != null) {
            body.interrupt(why);
            return true;
        }
        var cut = unanswered > 0;
        reset();
        return cut;
    }

    private void shutOutput() {
        flushed = true;
        if (channel instanceof DuplexChannel duplex && channel.isActive()) {
            var _ = duplex.shutdownOutput();
        }
    }

    private void endAtLast() {
        if (flushed) {
            closeBelow();
        } else {
            reset();
        }
    }

    private void closeBelow() {
        if (below != null) {
            var _ = below.close();
        }
    }

    private static boolean isInformational(Object message) {
        return message instanceof FullHttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }
}
