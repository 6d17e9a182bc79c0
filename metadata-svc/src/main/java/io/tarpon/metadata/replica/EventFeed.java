package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Every committed event after any revision: from the tail of the replica, or, where that has forgotten it, by
/// replaying the log into an image of its own, which costs the memory of a second image until the tail is reached.
///
/// Owned by one thread, the publisher's. Events only come from entries that the replica has replayed too, so
/// whoever reads an event can read its revision.
public final class EventFeed implements AutoCloseable {
    private static final int BATCH_EVENTS = 500;
    private static final int BATCH_ENTRIES = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final MetadataLog log;
    private final Replica replica;
    private final EventTail tail;
    private @Nullable Follower follower;

    /// The second image, and where it reads.
    private record Follower(Image image, LogReader reader) {}

    public EventFeed(MetadataLog log, Replica replica, EventTail tail) {
        this.log = log;
        this.replica = replica;
        this.tail = tail;
    }

    /// Events after revision `after`, in order; none where there is none yet.
    ///
    /// @throws LogUnavailableException the log is away: again later
    public EventTail.Batch after(long after) throws IOException, InterruptedException {
        var recent = tail.after(after, BATCH_EVENTS);
        if (recent.isPresent()) {
            forget();
            return recent.get();
        }
        return follow(after);
    }

    public void awaitBeyond(long after, Duration timeout) throws InterruptedException {
        tail.awaitBeyond(after, timeout);
    }

    /// Number of entries in the log.
    ///
    /// @throws LogUnavailableException that cannot be told now
    public long end() throws IOException {
        return log.end();
    }

    /// Whether events come from a replica that knows all that it must: who publishes what another knows better
    /// makes everybody wait.
    public boolean isWhole() {
        return replica.broken() == null && replica.behind().isEmpty();
    }

    private EventTail.Batch follow(long after) throws IOException, InterruptedException {
        var following = follower;
        if (following == null || following.image().revision() > after) {
            forget();
            following = new Follower(new Image(), log.reader(0));
            follower = following;
        }
        try {
            return follow(following, after);
        } catch (LogUnavailableException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            // What was read may not be in the image.
            forget();
            throw e;
        }
    }

    private EventTail.Batch follow(Follower following, long after) throws IOException, InterruptedException {
        var image = following.image();
        var events = new ArrayList<CommittedEvent>();
        while (image.revision() < replica.revision() && events.size() < BATCH_EVENTS) {
            var from = image.revision();
            var limit = (int) Math.min(BATCH_ENTRIES, replica.revision() - from);
            for (var entry : Replica.decode(log, from, following.reader().next(limit, PATIENCE))) {
                var replayed = image.replay(entry);
                if (replayed.revision() > after) {
                    events.addAll(replayed.events());
                }
            }
        }
        return new EventTail.Batch(events, Math.max(after, image.revision()));
    }

    private void forget() {
        if (follower != null) {
            follower.reader().close();
            follower = null;
        }
    }

    /// By the thread that owns it.
    @Override
    public void close() {
        forget();
    }
}
