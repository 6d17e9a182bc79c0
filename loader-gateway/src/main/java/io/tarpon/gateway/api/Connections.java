package io.tarpon.gateway.api;

import io.netty.channel.Channel;
import io.tarpon.gateway.GatewayConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// All connections of clients: a bounded number, and at most so many from one address; who comes then is closed.
///
/// Threads: any; what concerns one connection happens on its loop.
@ApplicationScoped
public class Connections {
    private static final Logger LOG = Logger.getLogger(Connections.class);

    private final int most;
    private final int mostPerAddress;
    private final LoopConnections.Patience patience;
    private final AtomicInteger open = new AtomicInteger();
    private final ConcurrentMap<String, Integer> perAddress = new ConcurrentHashMap<>();
    private final List<LoopConnections> loops = new CopyOnWriteArrayList<>();
    private volatile boolean draining;
    private volatile boolean refusing;
    private volatile @Nullable Channel listening;

    Connections(GatewayConfig config) {
        var clients = config.gateway().clients();
        this.most = clients.maxConnections();
        this.mostPerAddress = clients.maxConnectionsPerAddress();
        this.patience = LoopConnections.Patience.of(clients);
    }

    /// A place for the connections of an event loop.
    LoopConnections loop(io.netty.channel.EventLoop loop) {
        var connections = new LoopConnections(loop, this, patience);
        loops.add(connections);
        connections.start();
        return connections;
    }

    /// Takes a new connection, on its loop, or closes it.
    void take(HttpConnection connection, LoopConnections home) {
        var channel = ((ConnectionBase) connection).channel();
        listening = channel.parent();
        var address = Objects.requireNonNullElse(connection.remoteAddress().hostAddress(), "");
        if (!admit(address)) {
            var _ = channel.close();
            return;
        }
        var _ = channel.closeFuture().addListener(_ -> leave(address));
        ClientConnection.on(channel, home);
    }

    /// Whether the process is about to end: kept connections end after their answer.
    boolean isDraining() {
        return draining;
    }

    /// From now on the gateway says that it is not ready.
    void beginDraining() {
        draining = true;
    }

    /// Closes the listening socket, and connections as soon as nothing is unanswered on them.
    void stopAccepting() {
        var socket = listening;
        if (socket != null) {
            var _ = socket.close().awaitUninterruptibly();
        }
        loops.forEach(loop -> loop.each(ClientConnection::drain));
    }

    /// Ends all connections.
    ///
    /// @param onCut runs for each whose answer was cut, on its loop
    void interrupt(Throwable why, Runnable onCut) {
        loops.forEach(loop -> loop.each(connection -> {
            if (connection.interrupt(why)) {
                onCut.run();
            }
        }));
    }

    int open() {
        return open.get();
    }

    private boolean admit(String address) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            refused("connections", most);
            return false;
        }
        if (mostPerAddress > 0 && perAddress.merge(address, 1, Integer::sum) > mostPerAddress) {
            leave(address);
            refused("connections of one address", mostPerAddress);
            return false;
        }
        refusing = false;
        return true;
    }

    private void leave(String address) {
        open.decrementAndGet();
        if (mostPerAddress > 0) {
            perAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /// One line each time that it begins.
    private void refused(String what, int limit) {
        if (!refusing) {
            refusing = true;
            LOG.warnf("connection refused, there are too many what=\"%s\" limit=%d", what, limit);
        }
    }
}
