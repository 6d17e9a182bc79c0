package io.tarpon.gateway.catalog;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.client.NodeFollower;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.NodeList;
import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;

/// Follows the nodes that metadata-svc tells of. Where it does not answer, the last answer stands: a node
/// that is gone is found out by whoever asks it. An answer without nodes is not believed at once either: a
/// metadata-svc that stood still misses all of them together, and without nodes every byte comes from the store.
///
/// Threads: that of the follower is told; anybody reads the last answer.
public final class NodeWatch implements NodeFollower.Follower, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(NodeWatch.class);

    private final NodeFollower follower;
    private final Duration doubt;
    private volatile LiveNodes nodes = LiveNodes.NONE;
    private volatile boolean reached;
    private boolean answering = true;
    private boolean doubting;
    private long doubtsSince;

    /// @param every least time between two questions
    /// @param wait how long metadata-svc may wait for a change
    /// @param doubt for how long an answer without nodes is not believed
    public NodeWatch(MetadataClient metadata, Duration every, Duration wait, Duration doubt) {
        this.doubt = doubt;
        this.follower = new NodeFollower(metadata, every, wait, this);
    }

    public void start() {
        follower.start();
    }

    public LiveNodes nodes() {
        return nodes;
    }

    /// Whether metadata-svc ever answered.
    public boolean reached() {
        return reached;
    }

    @Override
    public void close() {
        follower.close();
    }

    /// Whether all nodes went at once, and not long ago.
    private boolean isDoubtful(LiveNodes answer) {
        var isGone = answer.count() == 0 && nodes.count() > 0;
        if (isGone && !doubting) {
            doubtsSince = System.nanoTime();
            LOG.warnf("no node is up any more, the last answer stands count=%d for=%s", nodes.count(), doubt);
        }
        doubting = isGone;
        return isGone && System.nanoTime() - doubtsSince < doubt.toNanos();
    }

    @Override
    public boolean told(NodeList list) {
        answering = true;
        var answer = LiveNodes.of(list);
        if (isDoubtful(answer)) {
            return false;
        }
        if (!reached || answer.count() != nodes.count()) {
            LOG.infof("nodes up count=%d", answer.count());
        }
        nodes = answer;
        reached = true;
        return true;
    }

    @Override
    public void missed(Throwable reason) {
        if (answering) {
            if (reason instanceof IOException
                    || reason instanceof TarponException
                    || reason instanceof IllegalArgumentException) {
                LOG.warnf("nodes not known, the last answer stands reason=%s", reason.getMessage());
            } else {
                LOG.error("nodes not known, the last answer stands", reason);
            }
        }
        answering = false;
    }
}
