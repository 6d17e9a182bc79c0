package io.tarpon.gateway.client;

import io.netty.channel.EventLoop;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.flow.Avoidance;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.BlockSource;
import io.tarpon.gateway.flow.NoBytes;
import io.tarpon.gateway.flow.Traffic;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Blocks of nodes over HTTP. Remembers which nodes failed of late, so that others are asked first.
///
/// Threads: any; the connections of an event loop belong to it.
public final class NodeBlocks {
    private static final Logger LOG = Logger.getLogger(NodeBlocks.class);

    private final Traffic traffic;
    private final Duration timeout;
    private final Avoidance avoided;
    private final BiConsumer<NodeRecord, BlockId> damaged;
    private final ConcurrentMap<EventLoop, LoopConnections> connections = new ConcurrentHashMap<>();

    /// @param timeout longest silence of a node
    /// @param avoid for how long a node that failed is avoided, at least
    /// @param avoidMost the same after failures in a row
    /// @param damaged tells a node of a block whose bytes came damaged
    public NodeBlocks(
            Traffic traffic,
            Duration timeout,
            Duration avoid,
            Duration avoidMost,
            BiConsumer<NodeRecord, BlockId> damaged) {
        this.traffic = traffic;
        this.timeout = timeout;
        this.avoided = new Avoidance(avoid, avoidMost, System::nanoTime);
        this.damaged = damaged;
    }

    /// A node as one response asks it.
    record Asked(
            NodeRecord node,
            NodeAddress address,
            EventLoop loop,
            @Nullable String traceparent) {}

    /// The node for a response on this event loop.
    ///
    /// @param traceparent of the response; null where there is no trace
    public BlockSource source(NodeRecord node, EventLoop loop, @Nullable String traceparent) {
        return (piece, wake) -> open(node, loop, traceparent, piece, wake);
    }

    /// Whether the node failed a moment ago.
    public boolean isAvoided(NodeRecord node) {
        return avoided.isAvoided(node.id());
    }

    private BlockBytes open(
            NodeRecord node, EventLoop loop, @Nullable String traceparent, Piece.OfBlock piece, Runnable wake) {
        var pool = connections.computeIfAbsent(loop, on -> new LoopConnections(on, timeout, traffic::readBytes));
        NodeAddress address;
        try {
            address = NodeAddress.of(node);
        } catch (IllegalArgumentException e) {
            return new NoBytes(e);
        }
        var bytes = new NodeBytes(this, new Asked(node, address, loop, traceparent), pool, piece, wake);
        bytes.start();
        return bytes;
    }

    long timeoutNanos() {
        return timeout.toNanos();
    }

    void worked(Asked asked) {
        avoided.worked(asked.node.id());
    }

    /// One line a time that a node is avoided, not one for each of its blocks.
    ///
    /// @param silence for how long nothing had come
    void failed(Asked asked, Piece.OfBlock piece, IOException cause, boolean isDamage, Duration silence) {
        var isNew = avoided.failed(asked.node.id(), silence);
        var level = isNew || isDamage ? Logger.Level.WARN : Logger.Level.DEBUG;
        LOG.logf(
                level,
                "block not served, others are asked first node=%s block=%s shard=%s reason=%s",
                asked.node.id(),
                piece.blockId(),
                piece.shard().ref(),
                cause.getMessage());
        if (isDamage) {
            damaged.accept(asked.node, piece.blockId());
        }
    }
}
