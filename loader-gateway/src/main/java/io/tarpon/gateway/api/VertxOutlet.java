package io.tarpon.gateway.api;

import io.netty.channel.FileRegion;
import io.netty.channel.epoll.EpollSocketChannel;
import io.tarpon.gateway.flow.Chunk;
import io.tarpon.gateway.flow.Outlet;
import io.tarpon.gateway.target.Percent;
import io.tarpon.service.api.ProblemAnswer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;

/// A response's place on its HTTP/1.1 connection. Vert.x writes head and end and keeps the order of pipelined requests;
/// the body goes past it to the channel, so that file regions and pooled buffers leave without a copy. All writes pass
/// through the connection's own queue, or they would overtake the head where Vert.x queued that.
final class VertxOutlet implements Outlet {
    private static final Logger LOG = Logger.getLogger(VertxOutlet.class);

    /// Bodies from this length on leave in full packets: many small samples would else be as many packets.
    private static final long STREAM_BYTES = 256 << 10;

    private static final Duration NOT_SAID = Duration.ofDays(1_000);

    private final HttpServerRequest request;
    private final ConnectionBase connection;
    private final IntConsumer onStatus;
    private boolean headHeld;
    private boolean isStream;
    private long written;

    /// @param onStatus is told the status when the head is written
    VertxOutlet(HttpServerRequest request, ConnectionBase connection, IntConsumer onStatus) {
        this.request = request;
        this.connection = connection;
        this.onStatus = onStatus;
    }

    @Override
    public void head(long length) {
        onStatus.accept(request.response().getStatusCode());
        headHeld = true;
        client().hold(true);
        isStream = length >= STREAM_BYTES;
        var _ = request.response().writeHead();
    }

    @Override
    public void holdUnsent(long bytes) {
        client().holdUnsent(bytes);
    }

    @Override
    public void write(Chunk chunk, LongConsumer written) {
        var bytes = chunk.length();
        var promise = connection.channel().newPromise();
        connection.writeToChannel(chunk.toMessage(), promise);
        var _ = promise.addListener(sent -> {
            if (!sent.isSuccess()) {
                // The client is gone, which the writer is told by the connection's end.
                return;
            }
            this.written += bytes;
            letHeadGo();
            written.accept(bytes);
        });
    }

    /// With the first bytes behind it.
    private void letHeadGo() {
        if (headHeld) {
            headHeld = false;
            client().hold(false);
            if (isStream) {
                client().hold(true);
            }
        }
    }

    /// As a connection is between answers: nothing is kept for a full packet.
    private void letAllGo() {
        if (headHeld || isStream) {
            headHeld = false;
            client().hold(false);
        }
    }

    @Override
    public void push() {
        if (isStream) {
            client().hold(false);
            client().hold(true);
        }
    }

    @Override
    public long accepted() {
        var waiting = connection.channel().unsafe().outboundBuffer();
        return waiting != null && waiting.current() instanceof FileRegion region
                ? written + region.transferred()
                : written;
    }

    @Override
    public Duration quiet() {
        return connection.channel() instanceof EpollSocketChannel socket && socket.isActive()
                ? Duration.ofMillis(socket.tcpInfo().lastDataSent())
                : NOT_SAID;
    }

    @Override
    public void end() {
        letAllGo();
        client().sends(null);
        var _ = request.response().end();
    }

    @Override
    public void refuse(Throwable why) {
        client().sends(null);
        request.response().headers().clear();
        onStatus.accept(ProblemAnswer.send(request, why));
    }

    @Override
    public void reset(Throwable why) {
        LOG.warnf("response cut path=%s reason=%s", Percent.printable(request.path() + ""), why.getMessage());
        client().reset();
    }

    @Override
    public void breakOff(Throwable why) {
        letAllGo();
        LOG.warnf("response broken path=%s reason=%s", Percent.printable(request.path() + ""), why.getMessage());
        client().endGently();
    }

    private ClientConnection client() {
        return ClientConnection.of(connection.channel());
    }
}
