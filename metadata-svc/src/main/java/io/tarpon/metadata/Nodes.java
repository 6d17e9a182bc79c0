package io.tarpon.metadata;

import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.LeaveNode;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.node.Sign;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What nodes do: joining and leaving go into the log, heartbeats do not. [NodeWatch] tells who is there.
public final class Nodes {
    private final Commands commands;
    private final Queries queries;
    private final Liveness liveness;
    private final LongSupplier nanoTime;
    private final Presence presence;

    Nodes(Commands commands, Queries queries, Liveness liveness, LongSupplier nanoTime, Presence presence) {
        this.commands = commands;
        this.queries = queries;
        this.liveness = liveness;
        this.nanoTime = nanoTime;
        this.presence = presence;
    }

    /// @param incarnation which process joins; null where it does not tell
    public Versioned<NodeRecord> join(
            String id, NodeRegistration registration, @Nullable String incarnation, @Nullable String traceparent) {
        var joined = commands.execute(new JoinNode(id, registration, incarnation), traceparent);
        liveness.joined(id, nanoTime.getAsLong());
        presence.tell(new Sign.Joined(id));
        return new Versioned<>(joined.revision(), record(id, joined.value()));
    }

    /// `not-found` where the node has not joined, `conflict` where another process of its id has since.
    public Versioned<NodeRecord> heartbeat(String id, Heartbeat heartbeat, @Nullable String incarnation) {
        var node = queries.atLeast(0, reads -> reads.node(JoinNode.requireId(id), incarnation));
        liveness.beat(id, heartbeat, nanoTime.getAsLong());
        presence.tell(new Sign.Beat(id, heartbeat.blocks(), heartbeat.bytes()));
        return new Versioned<>(node.revision(), record(id, node.value()));
    }

    /// @param incarnation which process leaves; null for whichever it is
    public Versioned<String> leave(String id, @Nullable String incarnation, @Nullable String traceparent) {
        return commands.execute(new LeaveNode(id, incarnation), traceparent);
    }

    private NodeRecord record(String id, NodeRegistration registration) {
        return liveness.record(id, registration, nanoTime.getAsLong());
    }
}
