package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;

/// The one thread that replays: it waits for entries, whoever appended them, and brings the replica up to
/// them. A log that is away is waited for, however long that takes, and so are room for what was replayed and
/// a snapshot of what the log has no more; each reason is said once.
public final class ReplayThread implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ReplayThread.class);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(200);
    /// Each attempt opens the view anew, and readers wait for that.
    private static final Duration DISK_PAUSE = Duration.ofSeconds(1);

    /// Each attempt asks the object store for a list.
    private static final Duration SNAPSHOT_PAUSE = Duration.ofSeconds(2);

    private final MetadataLog log;
    private final Replica replica;
    private final Thread thread;
    /// Why, as it was said last; empty where it is not.
    private String away = "";

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
            untilReached(replica::begin);
            LOG.infof("metadata log replay begins log=%s entries=%d", log.name(), replica.beginning());
            while (!Thread.currentThread().isInterrupted()) {
                untilReached(() -> replica.replayNext(WAIT));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            replica.stop(e);
            LOG.errorf(e, "metadata replay stopped revision=%d log=%s", replica.revision(), log.name());
        } finally {
            // So that what is closed is closed.
            Thread.interrupted();
            replica.endReading();
        }
    }

    private interface Step {
        void take() throws IOException, InterruptedException, UnsavedException, NoSnapshotException;
    }

    private void untilReached(Step step) throws IOException, InterruptedException {
        while (true) {
            try {
                step.take();
                if (!away.isEmpty()) {
                    away = "";
                    LOG.infof("metadata replay goes on log=%s revision=%d", log.name(), replica.revision());
                }
                return;
            } catch (LogUnavailableException e) {
                await("metadata log is away", e, PAUSE);
            } catch (UnsavedException e) {
                await("metadata view cannot be written", e, DISK_PAUSE);
            } catch (NoSnapshotException e) {
                await("metadata snapshot is not there", e, SNAPSHOT_PAUSE);
            }
        }
    }

    private void await(String what, Exception reason, Duration pause) throws InterruptedException {
        var why = what + ", waiting log=" + log.name() + " reason=" + reason.getMessage();
        if (!why.equals(away)) {
            away = why;
            LOG.warnf("%s revision=%d", why, replica.revision());
        }
        Thread.sleep(pause);
    }

    /// Afterwards nothing is replayed any more.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
