package io.tarpon.metadata;

import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.LeaveNode;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.node.Sign;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The use cases of nodes: membership from the log, life from heartbeats.
public final class Nodes {
    private static final Logger LOG = Logger.getLogger(Nodes.class);

    private final Commands commands;
    private final Queries queries;
    private final Liveness liveness;
    private final LongSupplier nanoTime;
    private final Presence presence;
    /// What was logged of each node last, so that a change is one line.
    private final ConcurrentHashMap<String, NodeState> said = new ConcurrentHashMap<>();

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

    public Versioned<NodeList> list(long revision) {
        var read = queries.atLeast(revision, reads -> new Membership(reads.nodesRevision(), reads.nodes()));
        var nodes = read.value().nodes();
        said.keySet().retainAll(nodes.keySet());
        var records = liveness.records(nodes, nanoTime.getAsLong());
        records.forEach(this::say);
        return new Versioned<>(read.revision(), new NodeList(read.value().revision(), records));
    }

    private record Membership(long revision, SortedMap<String, NodeRegistration> nodes) {}

    private NodeRecord record(String id, NodeRegistration registration) {
        var record = liveness.record(id, registration, nanoTime.getAsLong());
        say(record);
        return record;
    }

    private void say(NodeRecord record) {
        var before = said.put(record.id(), record.state());
        if (record.state() != before) {
            var registration = record.registration();
            if (record.state() == NodeState.LOST) {
                LOG.warnf("node lost node=%s host=%s url=%s", record.id(), registration.host(), registration.url());
            } else {
                LOG.infof("node up node=%s host=%s url=%s", record.id(), registration.host(), registration.url());
            }
        }
    }
}
