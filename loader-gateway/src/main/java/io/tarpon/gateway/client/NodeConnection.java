package io.tarpon.gateway.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One keep-alive connection to a node: one exchange at a time, read only when the exchange asks. Everything on the
/// channel's event loop, which is that of the response.
final class NodeConnection extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final ReadSize reads;
    private @Nullable Exchange exchange;
    private boolean keepAlive = true;
    private int served;

    /// @param reads of the channel
    NodeConnection(Channel channel, ReadSize reads) {
        this.channel = channel;
        this.reads = reads;
    }

    /// What the current request's sender is told.
    interface Exchange {
        void head(HttpResponse response) throws IOException;

        /// Takes the buffer's reference.
        void content(ByteBuf bytes) throws IOException;

        /// The whole answer came; the connection is free.
        void end(NodeConnection connection) throws IOException;

        /// One read of the socket is done.
        void readDone();

        /// No more comes, and the connection is closed.
        void failed(IOException cause);
    }

    /// Whether an earlier exchange ended well on it: then a failure may only mean that the node closed it
    /// meanwhile.
    boolean isReused() {
        return served > 0;
    }

    boolean isUsable() {
        return keepAlive && channel.isActive() && exchange == null;
    }

    /// Sends a request and reads the first bytes of its answer.
    ///
    /// @param answerBytes of its body
    void send(FullHttpRequest request, int answerBytes, Exchange sender) {
        exchange = sender;
        reads.expect(answerBytes);
        var _ = channel.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess()) {
                fail(new IOException("request not sent", sent.cause()));
            }
        });
        channel.read();
    }

    void read() {
        channel.read();
    }

    /// Closes; the sender is told nothing more.
    void abandon() {
        exchange = null;
        var _ = channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        var current = exchange;
        if (current == null) {
            ReferenceCountUtil.release(message);
            var _ = channel.close();
            return;
        }
        try {
            take(current, message);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void take(Exchange current, Object message) throws IOException {
        if (message instanceof HttpResponse response) {
            if (response.decoderResult().isFailure()) {
                throw new IOException(
                        "not an HTTP answer", response.decoderResult().cause());
            }
            keepAlive = HttpUtil.isKeepAlive(response);
            current.head(response);
        }
        if (message instanceof HttpContent content) {
            takeContent(current, content);
        }
    }

    private void takeContent(Exchange current, HttpContent content) throws IOException {
        if (content.decoderResult().isFailure()) {
            content.release();
            throw new IOException(
                    "the answer is broken", content.decoderResult().cause());
        }
        if (content.content().isReadable()) {
            current.content(content.content());
        } else {
            content.release();
        }
        if (content instanceof LastHttpContent) {
            exchange = null;
            served++;
            current.end(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (exchange != null) {
            exchange.readDone();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        context.fireChannelInactive();
        fail(new IOException("the node closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause instanceof IOException io ? io : new IOException(cause));
    }

    private void fail(IOException cause) {
        var current = exchange;
        abandon();
        if (current != null) {
            current.failed(cause);
        }
    }
}
