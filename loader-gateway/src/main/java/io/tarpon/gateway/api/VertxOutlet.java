package io.tarpon.gateway.api;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.tarpon.gateway.flow.Chunk;
import io.tarpon.gateway.flow.Outlet;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;

/// A response's place on its HTTP/1.1 connection. Vert.x writes head and end and keeps the order of pipelined requests;
/// the body goes past it to the channel, so that file regions and pooled buffers leave without a copy. All writes pass
/// through the connection's own queue, or they would overtake the head where Vert.x queued that.
final class VertxOutlet implements Outlet {
    private static final Logger LOG = Logger.getLogger(VertxOutlet.class);

    /// How long a broken connection waits for the client to close it. A close with unread requests in the socket would
    /// send a reset, which can overtake the bytes before it.
    private static final int LINGER_SECONDS = 2;

    private final HttpServerRequest request;
    private final ConnectionBase connection;
    private final IntConsumer onStatus;

    /// @param onStatus is told the status when the head is written
    VertxOutlet(HttpServerRequest request, ConnectionBase connection, IntConsumer onStatus) {
        this.request = request;
        this.connection = connection;
        this.onStatus = onStatus;
    }

    @Override
    public void head() {
        onStatus.accept(request.response().getStatusCode());
        var _ = request.response().writeHead();
    }

    @Override
    public void write(Chunk chunk, LongConsumer written) {
        var bytes = chunk.length();
        var promise = connection.channel().newPromise();
        connection.writeToChannel(chunk.toMessage(), promise);
        var _ = promise.addListener(_ -> written.accept(bytes));
    }

    @Override
    public void end() {
        var _ = request.response().end();
    }

    @Override
    public void refuse(Throwable why) {
        request.response().headers().clear();
        onStatus.accept(Problems.answer(request, why));
    }

    @Override
    public void breakOff(Throwable why) {
        LOG.warnf("response broken path=%s reason=%s", request.path(), why.getMessage());
        var flushed = connection.channel().newPromise();
        var _ = flushed.addListener(_ -> halfClose(connection.channel()));
        connection.writeToChannel(Unpooled.EMPTY_BUFFER, true, flushed);
    }

    private static void halfClose(Channel channel) {
        if (channel instanceof DuplexChannel duplex && channel.isActive()) {
            var _ = duplex.shutdownOutput();
            var _ = channel.eventLoop().schedule(() -> close(channel), LINGER_SECONDS, TimeUnit.SECONDS);
        } else {
            close(channel);
        }
    }

    private static void close(Channel channel) {
        var _ = channel.close();
    }
}
