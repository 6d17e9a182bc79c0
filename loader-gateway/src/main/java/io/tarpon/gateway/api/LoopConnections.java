package io.tarpon.gateway.api;

import io.netty.channel.EventLoop;
import io.tarpon.gateway.GatewayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The connections of one event loop, looked at one after the other, again and again: a timer of its own for each
/// request would cost more than the request. Everything on that loop.
final class LoopConnections {
    private static final long MOST_BETWEEN_LOOKS = Duration.ofSeconds(1).toNanos();
    private static final int LOOKS_A_TIMEOUT = 4;

    private final EventLoop loop;
    private final Connections all;
    private final Patience patience;
    private final Set<ClientConnection> connections = new HashSet<>();

    LoopConnections(EventLoop loop, Connections all, Patience patience) {
        this.loop = loop;
        this.all = all;
        this.patience = patience;
    }

    /// How long a client may take for what it sends.
    ///
    /// @param stallNanos for what it takes: kept elsewhere, but looked at here
    record Patience(long headNanos, long bodyNanos, long idleNanos, long stallNanos) {
        static Patience of(GatewayConfig.Clients config) {
            return new Patience(
                    config.headerTimeout().toNanos(),
                    config.bodyTimeout().toNanos(),
                    config.idle().toNanos(),
                    config.stallCrowded().toNanos());
        }

        long betweenLooks() {
            var shortest = Math.min(Math.min(headNanos, bodyNanos), Math.min(idleNanos, stallNanos));
            return Math.min(MOST_BETWEEN_LOOKS, shortest / LOOKS_A_TIMEOUT);
        }
    }

    void start() {
        var _ = loop.scheduleWithFixedDelay(
                this::look, patience.betweenLooks(), patience.betweenLooks(), TimeUnit.NANOSECONDS);
    }

    boolean isDraining() {
        return all.isDraining();
    }

    void add(ClientConnection connection) {
        connections.add(connection);
    }

    void remove(ClientConnection connection) {
        connections.remove(connection);
    }

    /// Does something with each connection, on the loop.
    void each(Consumer<ClientConnection> action) {
        loop.execute(() -> snapshot().forEach(action));
    }

    private void look() {
        var now = System.nanoTime();
        snapshot().forEach(connection -> connection.look(now, patience));
    }

    /// A look may end a connection.
    private List<ClientConnection> snapshot() {
        return new ArrayList<>(connections);
    }
}
