package io.tarpon.ingest;

import io.micrometer.core.instrument.Counter;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Makes good lost messages: a version in `building` of which no shard was sealed for a while gets the messages of its
/// unsealed shards once more. Those may be lost with their topic, or wait behind others: shard-fn passes over what is
/// sealed, so too many do no harm but room, and a version that still does not come on is left alone for twice as long
/// each time. Every process of the group goes round for itself.
///
/// Owned by the one thread that goes round. A crash forgets what was sent, and sends once more.
final class StandingVersions {
    private static final Logger LOG = Logger.getLogger(StandingVersions.class);
    private static final int PAGE = 1_000;

    /// Pauses are doubled up to 64 times the first.
    private static final int MOST_DOUBLINGS = 6;

    private final MetadataClient metadata;
    private final ShardMessages messages;
    private final Duration patience;
    private final Counter sent;
    private final Map<String, Reminder> reminders = new HashMap<>();

    /// @param patience after which a version that does not come on is helped
    /// @param sent counts messages
    StandingVersions(MetadataClient metadata, ShardMessages messages, Duration patience, Counter sent) {
        this.metadata = metadata;
        this.messages = messages;
        this.patience = patience;
        this.sent = sent;
    }

    /// What was done for a version since it came on last.
    private record Reminder(Instant progressAt, Instant sentAt, int times) {}

    /// Afterwards every version that stands still, and whose turn it is, has its messages in the topic. One that cannot
    /// be helped does not keep others from it. A round that breaks remembers what it sent.
    ///
    /// @throws IOException when metadata-svc does not say what is in work
    void round() throws IOException {
        var still = new HashSet<String>();
        Optional<String> after = Optional.empty();
        do {
            var page = metadata.versionsInWork(VersionState.BUILDING, after, PAGE);
            for (var version : page.versions()) {
                if (remind(version, page.at())) {
                    still.add(name(version));
                }
            }
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
        reminders.keySet().retainAll(still);
    }

    /// Returns whether messages were sent since the version came on last.
    private boolean remind(VersionProgress version, Instant now) {
        var before = Optional.ofNullable(reminders.get(name(version)))
                .filter(reminder -> reminder.progressAt().equals(version.progressAt()));
        int times = before.map(Reminder::times).orElse(0);
        var since = before.map(Reminder::sentAt).orElse(version.progressAt());
        var wait = patience.multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
        if (Duration.between(since, now).compareTo(wait) < 0) {
            return before.isPresent();
        }
        try {
            send(version);
            reminders.put(name(version), new Reminder(version.progressAt(), now, times + 1));
            return true;
        } catch (IOException | TarponException e) {
            LOG.warnf("version not helped version=%s reason=%s", name(version), e.getMessage());
            return before.isPresent();
        } catch (RuntimeException e) {
            LOG.errorf(e, "version not helped version=%s", name(version));
            return before.isPresent();
        }
    }

    private void send(VersionProgress version) throws IOException {
        var record = metadata.version(version.dataset(), version.version());
        if (record.state() != VersionState.BUILDING) {
            return;
        }
        long count = messages.sendUnsealed(record, Optional.empty());
        sent.increment((double) count);
        LOG.warnf(
                "version stands still, its shards are announced again version=%s since=%s sealed=%d shards=%d"
                        + " messages=%d",
                name(version), version.progressAt(), version.sealedShards(), version.shards(), count);
    }

    private static String name(VersionProgress version) {
        return version.dataset() + "/" + version.version();
    }
}
