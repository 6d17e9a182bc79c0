package io.tarpon.metadata.job;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.entry.FollowedTopic;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.log.TopicGate;
import io.tarpon.metadata.stream.PublisherGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// The two places that a log moves between.
///
/// @param folder the state folder of the service
/// @param topic of the log
public record LogPlaces(Path folder, KafkaSettings topic) {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    /// Longer than what a dead process handed to its kernel may take to reach the broker.
    private static final Duration SETTLE = Duration.ofSeconds(1);

    private static final int MAX_LOOKS = 60;
    /// Longer than a replica that was killed counts as one that runs.
    private static final Duration GONE = Duration.ofSeconds(12);

    private static final Duration LOOK = Duration.ofMillis(200);

    TopicGate gate() {
        return new TopicGate(topic);
    }

    PublisherGroup group() {
        return new PublisherGroup(topic.brokers(), topic.topic());
    }

    static LocalLog local(MovableFolder held) throws IOException {
        return local(held.log(), held);
    }

    /// @param log a folder that has a log, or an empty one
    static LocalLog local(Path log, MovableFolder held) throws IOException {
        return LocalLog.open(log, held.libraries(), 1, MetadataLog.MAX_ENTRY_BYTES, PATIENCE);
    }

    /// Returns once the topic was found; it is made where there is none, and none was followed.
    KafkaLog kafka(FollowedTopic followed) throws IOException, InterruptedException {
        var kafka = KafkaLog.openToRead(topic, followed);
        try {
            kafka.awaitReached(PATIENCE);
            return kafka;
        } catch (IOException | InterruptedException | RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /// Throws where replicas run that follow the topic. One that was just killed is waited for.
    void requireNoReplica() throws IOException, InterruptedException {
        var until = System.nanoTime() + GONE.toNanos();
        for (var members = group().members(); members > 0; members = group().members()) {
            if (System.nanoTime() > until) {
                throw new IOException(members + " replicas of metadata-svc run on topic " + topic.topic() + " at "
                        + topic.brokers() + ": stop all of them, then move again");
            }
            Thread.sleep(LOOK);
        }
    }

    /// The end of a log to which nobody should append: once it has stood still for a while.
    static long settledEnd(MetadataLog log) throws IOException, InterruptedException {
        var before = log.end();
        for (int look = 0; look < MAX_LOOKS; look++) {
            Thread.sleep(SETTLE);
            var now = log.end();
            if (now == before) {
                return now;
            }
            before = now;
        }
        throw new IOException("somebody goes on appending to " + log.name() + ": stop that, then move again");
    }

    /// Puts a log aside that does not count, where there is one.
    /// What was moved from one folder is not moved from another: that would be a second log of one name.
    static IOException leftByAnother(MovableFolder held, MetadataLog kafka) {
        return new IOException(kafka.name() + " was shut by a move that did not begin with folder " + held
                + ": its log is in another folder; finish the move there, or take it back there");
    }

    static void putLeftoverAside(MovableFolder held) throws IOException {
        if (held.hasLeftover()) {
            held.putAside(revisionOf(held));
        }
    }

    private static long revisionOf(MovableFolder held) throws IOException {
        try (var log = local(held)) {
            return log.end();
        }
    }
}
