package io.tarpon.metadata.stream;

import io.tarpon.metadata.replica.EventFeed;
import java.io.IOException;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Publishes every committed event on its topic, each id exactly once, in order within a dataset.
///
/// Of several replicas the one with the [PublishingDuty] does it. One thread owns it all. It opens a [Session],
/// which reads the last id in each partition, and sends what follows; where anything fails it closes the session
/// and opens another, which reads the ends anew, as does who has the duty next. An event belongs to one partition
/// for good (by its dataset), and goes there in order of ids, so the last id in a partition says which of its
/// events are there. What is where at each crash point (kill -9):
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
/// - **the process stands still** anywhere in between, and goes on when another one has the duty: what it sends then is
///   older than the broker takes.
/// - **mark written**: the same, found faster. The mark matters where a partition has no record of ours left,
///   because retention took it.
///
/// While the broker is away nothing is held here but one batch: events wait in the log. What else goes wrong, an
/// `Error` included, is a mistake or a lack of memory: it is [#trouble()] until a session has published again, or
/// the duty was with others for so long that they publish; publishing is begun anew after the same pause, for the
/// cause may pass.
public final class EventPublisher implements AutoCloseable {
    static final String SOURCE = "/metadata-svc";
    private static final Logger LOG = Logger.getLogger(EventPublisher.class);
    private static final Duration IDLE_WAIT = Duration.ofMillis(500);
    /// As many pauses without the duty as say that others have it.
    private static final int PAUSES_WITHOUT = 10;

    private final PublisherSettings settings;
    private final EventFeed feed;
    private final PublishingDuty duty;
    private final Thread thread;
    private boolean away;
    private volatile @Nullable Throwable trouble;
    private long brokeAt;
    private volatile boolean publishes;
    private volatile long published;

    public EventPublisher(PublisherSettings settings, EventFeed feed, PublishingDuty duty) {
        this.settings = settings;
        this.feed = feed;
        this.duty = duty;
        this.thread = Thread.ofPlatform().daemon().name("metadata-events").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// Why events are not published, where that is not the broker; null while all is well.
    public @Nullable Throwable trouble() {
        return trouble;
    }

    /// Whether this replica has the duty to publish, as far as it was told.
    public boolean publishes() {
        return publishes;
    }

    /// Every event up to this revision is on the topic, as far as this replica learned when it published: 0
    /// where it never did.
    public long publishedUpTo() {
        return published;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    if (!feed.isWhole()) {
                        duty.close();
                        Thread.sleep(settings.retry());
                    } else if (duty.isHere(IDLE_WAIT)) {
                        publish();
                    } else {
                        leaveToOthers();
                    }
                } catch (InterruptException e) {
                    throw new InterruptedException();
                } catch (KafkaException | IOException e) {
                    away(e);
                    duty.close();
                    Thread.sleep(settings.retry());
                } catch (RuntimeException | Error e) {
                    broken(e);
                    duty.close();
                    Thread.sleep(settings.retry());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // So that the duty is given back in time for another to have it at once.
            Thread.interrupted();
            duty.close();
        }
    }

    private void publish() throws IOException, InterruptedException {
        try (var session = Session.open(settings, duty.certainAt().isPresent())) {
            publishes = true;
            publish(session);
        } finally {
            publishes = false;
        }
    }

    private void publish(Session session) throws IOException, InterruptedException {
        var marked = duty.publishedUpTo();
        var revision = session.ends().from(marked);
        published = Math.max(published, marked);
        LOG.infof("event publishing starts topic=%s after=%d mark=%d", settings.topic(), revision, marked);
        if (session.ends().highest() > feed.end()) {
            LOG.errorf(
                    "topic %s holds events of revision %d and the log ends at %d: it belongs to another log, and"
                            + " events are published only beyond that; give this log a topic of its own",
                    settings.topic(), session.ends().highest(), feed.end());
        }
        away = false;
        while (!Thread.currentThread().isInterrupted() && feed.isWhole()) {
            var batch = feed.after(revision);
            // After it was had, which may take long.
            if (!duty.isHere(Duration.ZERO)) {
                return;
            }
            session.publish(batch.events(), marked, duty.certainAt());
            if (batch.upTo() > revision) {
                duty.publishedUpTo(batch.upTo());
                published = batch.upTo();
            }
            revision = batch.upTo();
            trouble = null;
            feed.awaitBeyond(revision, IDLE_WAIT);
        }
    }

    private void away(Exception reason) {
        if (!away) {
            away = true;
            LOG.warnf(
                    "events wait for the broker topic=%s brokers=%s reason=%s",
                    settings.topic(), settings.brokers(), reason);
        }
    }

    private void broken(Throwable reason) {
        if (trouble == null) {
            LOG.errorf(reason, "event publishing broken topic=%s", settings.topic());
        }
        trouble = reason;
        brokeAt = System.nanoTime();
    }

    private void leaveToOthers() {
        if (trouble != null
                && System.nanoTime() - brokeAt
                        > settings.retry().multipliedBy(PAUSES_WITHOUT).toNanos()) {
            LOG.infof("events are published by others, after trouble here topic=%s", settings.topic());
            trouble = null;
        }
    }

    /// Afterwards nothing is sent any more; what was not sent is in the log.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
