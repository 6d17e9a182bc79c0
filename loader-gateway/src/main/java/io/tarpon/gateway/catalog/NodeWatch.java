package io.tarpon.gateway.catalog;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Asks metadata-svc for the nodes again and again. Where it does not answer, the last answer stands: a node
/// that is gone meanwhile is found out by whoever asks it. An answer without nodes is not believed at once either: a
/// metadata-svc that stood still misses all of them together, and without nodes every byte comes from the store.
///
/// Threads: one of its own asks; anybody reads the last answer.
public final class NodeWatch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(NodeWatch.class);

    private final MetadataClient metadata;
    private final Duration every;
    private final Duration doubt;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private volatile LiveNodes nodes = LiveNodes.NONE;
    private volatile boolean reached;
    private boolean answering = true;
    private boolean doubting;
    private long doubtsSince;

    /// @param doubt for how long an answer without nodes is not believed
    public NodeWatch(MetadataClient metadata, Duration every, Duration doubt) {
        this.doubt = doubt;
        this.metadata = metadata;
        this.every = every;
        this.thread = Thread.ofVirtual().name("node-watch").unstarted(this::run);
    }

    public void start() {
        thread.start();
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
        stop.countDown();
        thread.interrupt();
    }

    private void run() {
        try {
            do {
                ask();
            } while (!stop.await(every.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

    private void ask() {
        try {
            var answer = LiveNodes.of(metadata.nodes());
            answering = true;
            if (isDoubtful(answer)) {
                return;
            }
            if (!reached || answer.count() != nodes.count()) {
                LOG.infof("nodes up count=%d", answer.count());
            }
            nodes = answer;
            reached = true;
        } catch (IOException | TarponException | IllegalArgumentException e) {
            if (answering && stop.getCount() > 0) {
                LOG.warnf("nodes not known, the last answer stands reason=%s", e.getMessage());
            }
            answering = false;
        } catch (RuntimeException | Error e) {
            // Whatever it is: without this thread the last nodes stand for ever.
            if (answering) {
                LOG.error("nodes not known, the last answer stands", e);
            }
            answering = false;
        }
    }
}
