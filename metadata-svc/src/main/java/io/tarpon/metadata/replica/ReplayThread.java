package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;

/// The one thread that replays: it waits for entries, whoever appended them, and brings the replica up to them.
public final class ReplayThread implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ReplayThread.class);
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final MetadataLog log;
    private final Replica replica;
    private final Thread thread;

    public ReplayThread(MetadataLog log, Replica replica) {
        this.log = log;
        this.replica = replica;
        this.thread = Thread.ofPlatform().daemon().name("metadata-replay").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                replica.catchUp();
                log.awaitBeyond(replica.revision(), WAIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            replica.stop(e);
            LOG.errorf(e, "metadata replay stopped revision=%d log=%s", replica.revision(), log.name());
        }
    }

    /// Afterwards nothing is replayed any more.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
