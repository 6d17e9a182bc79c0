package io.tarpon.gateway.catalog;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Asks metadata-svc for the nodes again and again. Where it does not answer, the last answer stands: a node
/// that is gone meanwhile is found out by whoever asks it.
///
/// Threads: one of its own asks; anybody reads the last answer.
public final class NodeWatch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(NodeWatch.class);

    private final MetadataClient metadata;
    private final Duration every;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private volatile LiveNodes nodes = LiveNodes.NONE;
    private volatile boolean reached;
    private boolean answering = true;

    public NodeWatch(MetadataClient metadata, Duration every) {
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

    private void ask() {
        try {
            var answer = LiveNodes.of(metadata.nodes());
            if (!reached || answer.count() != nodes.count()) {
                LOG.infof("nodes up count=%d", answer.count());
            }
            nodes = answer;
            reached = true;
            answering = true;
        } catch (IOException | TarponException | IllegalArgumentException e) {
            if (answering && stop.getCount() > 0) {
                LOG.warnf("nodes not known, the last answer stands reason=%s", e.getMessage());
            }
            answering = false;
        }
    }
}
