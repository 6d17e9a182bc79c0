package io.tarpon.block;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.client.NodeFollower;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRegistration;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// This node's place among the others: joins, says every heartbeat that it lives and what it holds, follows who
/// else does, and leaves at the end. While metadata-svc is away the node serves on and tries again at every
/// heartbeat.
///
/// The heartbeat has a thread of its own, and who follows the others has one. Joining and leaving
/// are idempotent: an answer that got lost is asked for again.
///
/// A process says at each step which one it is: where another has joined under the same id since, that one is the node.
/// This one then serves those who know it, joins only when the other has left, and takes no other out by leaving.
public final class Membership implements NodeFollower.Follower, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Membership.class);

    private final String nodeId;
    private final Optional<MetadataClient> writer;
    private final Disks disks;
    private final LiveNodes nodes;
    private final Duration heartbeat;
    private final ScheduledExecutorService thread;
    private final NodeFollower follower;
    private volatile Optional<NodeRegistration> registration = Optional.empty();
    private final String incarnation = UUID.randomUUID().toString();
    private volatile boolean registered;
    private boolean replaced;
    private volatile boolean everRegistered;
    private volatile boolean away;

    /// @param writer empty where no token is configured: the node serves, and joins nothing
    /// @param nodesWait how long metadata-svc may wait for the nodes to change
    Membership(
            String nodeId,
            Optional<MetadataClient> writer,
            MetadataClient reader,
            Disks disks,
            LiveNodes nodes,
            Duration heartbeat,
            Duration nodesWait) {
        this.nodeId = nodeId;
        this.writer = writer;
        this.disks = disks;
        this.nodes = nodes;
        this.heartbeat = heartbeat;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("tarpon-membership").factory());
        this.follower = new NodeFollower(reader, heartbeat, nodesWait, this);
    }

    /// Begins to join. Returns at once.
    public void start(NodeRegistration self) {
        registration = Optional.of(self);
        var millis = heartbeat.toMillis();
        var _ = thread.scheduleWithFixedDelay(this::beat, 0, millis, TimeUnit.MILLISECONDS);
        follower.start();
    }

    /// Empty until the node listens.
    public Optional<NodeRegistration> registration() {
        return registration;
    }

    /// Whether metadata-svc knew this node when it last answered.
    public boolean registered() {
        return registered;
    }

    /// Whether the node joined since it started: from then on it can be found and is ready.
    public boolean everRegistered() {
        return everRegistered;
    }

    /// Leaves, if metadata-svc can be told.
    @Override
    public void close() {
        follower.close();
        thread.shutdownNow();
        if (!registered || writer.isEmpty()) {
            return;
        }
        try {
            var _ = thread.awaitTermination(1, TimeUnit.SECONDS);
            writer.get().leave(nodeId, incarnation);
            LOG.infof("node left node=%s", nodeId);
        } catch (IOException | TarponException e) {
            LOG.warnf("node could not leave node=%s reason=%s", nodeId, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat() {
        try {
            if (writer.isPresent() && registration.isPresent()) {
                beat(writer.get(), registration.get());
                reachable();
            }
        } catch (Exception e) {
            unreachable(e);
        }
    }

    private void beat(MetadataClient metadata, NodeRegistration self) throws IOException {
        if ((registered || replaced) && isKnown(metadata)) {
            return;
        }
        var _ = metadata.join(nodeId, self, incarnation);
        replaced = false;
        registered = true;
        everRegistered = true;
        LOG.infof("node joined node=%s host=%s zone=%s url=%s", nodeId, self.host(), self.zone(), self.url());
    }

    /// False where this process is to join. One that was replaced is not: it would take the id from the other.
    private boolean isKnown(MetadataClient metadata) throws IOException {
        try {
            var _ = metadata.heartbeat(nodeId, new Heartbeat(disks.blocks(), disks.bytes()), incarnation);
            registered = true;
            replaced = false;
            return true;
        } catch (TarponException e) {
            if (e.type() != ProblemType.NOT_FOUND && e.type() != ProblemType.CONFLICT) {
                throw e;
            }
            registered = false;
            if (e.type() == ProblemType.CONFLICT) {
                tellReplaced();
            }
            return e.type() == ProblemType.CONFLICT;
        }
    }

    private void tellReplaced() {
        if (!replaced) {
            replaced = true;
            LOG.errorf(
                    "another process has joined with this node's id, give each its own tarpon.node.id node=%s", nodeId);
        }
    }

    @Override
    public boolean told(NodeList list) {
        return nodes.replace(list, System.nanoTime());
    }

    @Override
    public void missed(Throwable reason) {
        // The last view stays in force; the heartbeat says that metadata-svc is away.
        LOG.debugf("nodes not known reason=%s", reason.getMessage());
    }

    private void reachable() {
        if (away) {
            away = false;
            LOG.infof("metadata-svc answers again node=%s", nodeId);
        }
    }

    private void unreachable(Exception e) {
        if (!away && !thread.isShutdown()) {
            away = true;
            LOG.warnf("metadata-svc does not answer node=%s reason=%s", nodeId, e.getMessage());
        }
    }
}
