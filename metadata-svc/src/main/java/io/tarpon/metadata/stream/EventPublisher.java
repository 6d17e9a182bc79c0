package io.tarpon.metadata.stream;

import io.tarpon.metadata.entry.PublishedMark;
import io.tarpon.metadata.replica.EventFeed;
import java.io.IOException;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;

/// Publishes every committed event on its topic, each id exactly once, in order within a dataset.
///
/// One thread owns it all. It opens a [Session], which reads the last id in each partition, and sends what
/// follows; where anything fails it closes the session and opens another, which reads the ends anew. An event
/// belongs to one partition for good (by its dataset), and goes there in order of ids, so the last id in a
/// partition says which of its events are there. What is where at each crash point (kill -9):
///
/// - **before the entry is synced**: nowhere; nobody was answered.
/// - **entry synced, event not sent**: in the log. The next session finds an older id at the partition's end, and
///   sends it.
/// - **sent, not acknowledged**: in the log, perhaps in the topic. The next session sees it at the end or does
///   not, and the rest follows. What the dead process had handed to its kernel can reach the broker after the
///   next one connects; so a session waits until the ends have stood still for `settle`. Within one process the
///   producer's sequence numbers drop a repeated send, and it never gives up on a record by itself.
/// - **acknowledged, mark not written**: in the topic. The mark is behind, so the log is read from further back;
///   nothing is sent again.
/// - **mark written**: the same, found faster. The mark matters where a partition has no record of ours left,
///   because retention took it.
///
/// While the broker is away nothing is held here but one batch: events wait in the log.
public final class EventPublisher implements AutoCloseable {
    static final String SOURCE = "/metadata-svc";
    private static final Logger LOG = Logger.getLogger(EventPublisher.class);
    private static final Duration IDLE_WAIT = Duration.ofMillis(500);

    private final PublisherSettings settings;
    private final EventFeed feed;
    private final PublishedMark mark;
    private final Thread thread;
    private boolean away;

    public EventPublisher(PublisherSettings settings, EventFeed feed, PublishedMark mark) {
        this.settings = settings;
        this.feed = feed;
        this.mark = mark;
        this.thread = Thread.ofPlatform().daemon().name("metadata-events").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (var session = Session.open(settings)) {
                    publish(session);
                } catch (KafkaException | IOException e) {
                    pause(e);
                }
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.errorf(e, "event publishing stopped topic=%s", settings.topic());
        }
    }

    private void publish(Session session) throws IOException, InterruptedException {
        var marked = mark.publishedUpTo();
        var revision = session.ends().from(marked);
        LOG.infof("event publishing starts topic=%s after=%d mark=%d", settings.topic(), revision, marked);
        if (session.ends().highest() > feed.end()) {
            LOG.errorf(
                    "topic %s holds events of revision %d and the log ends at %d: it belongs to another log, and events are"
                            + " published only beyond that; give this log a topic of its own",
                    settings.topic(), session.ends().highest(), feed.end());
        }
        away = false;
        while (!Thread.currentThread().isInterrupted()) {
            var batch = feed.after(revision);
            session.publish(batch.events(), marked);
            if (batch.upTo() > revision) {
                mark.publishedUpTo(batch.upTo());
            }
            revision = batch.upTo();
            feed.awaitBeyond(revision, IDLE_WAIT);
        }
    }

    private void pause(Exception reason) throws InterruptedException {
        if (reason instanceof InterruptException) {
            throw new InterruptedException();
        }
        if (!away) {
            away = true;
            LOG.warnf(
                    "events wait for the broker topic=%s brokers=%s reason=%s",
                    settings.topic(), settings.brokers(), reason);
        }
        Thread.sleep(settings.retry());
    }

    /// Afterwards nothing is sent any more; what was not sent is in the log.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
