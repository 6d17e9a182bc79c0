package io.tarpon.metadata.stream;

import io.tarpon.service.stream.Brokers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;

/// The duty as Kafka's consumer groups give it: all replicas are members of one group on the log's topic, which has
/// one partition, and who is given that partition publishes. What the group has committed for it is the mark.
///
/// A commit is refused from who is a member no more, so each one that succeeds is the certainty that the duty was
/// here when it was sent, and nobody else has it for [#SESSION] after. It is renewed every [#RENEWED_EVERY]. A
/// replica that stood still in between does not know that; so its messages carry the time of that certainty, and
/// the broker takes none that is older than [#FRESHNESS] (see [Session]). What is left of the session after that is
/// for clocks that differ.
///
/// Crash points: the mark is behind what was published by as much as was published since the last renewal; it is
/// never ahead. A member that dies is missed after [#SESSION]; one that closes, at once.
public final class GroupDuty implements PublishingDuty {
    /// Kafka's brokers take no shorter one unless they are told to.
    static final Duration SESSION = Duration.ofSeconds(6);

    /// How old the certainty may be when a message arrives.
    static final Duration FRESHNESS = Duration.ofSeconds(3);

    private static final Duration RENEWED_EVERY = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Brokers brokers;
    private final TopicPartition log;
    private final String group;
    private @Nullable Consumer<byte[], byte[]> consumer;
    /// The partition is given to this member.
    private boolean isGiven;
    /// And the mark was read, and a commit has succeeded.
    private boolean isHere;

    private long mark;
    private long certainAtMillis;
    private long renewedAtNanos;

    /// @param logTopic the topic of the metadata log
    public GroupDuty(Brokers brokers, String logTopic) {
        this.brokers = brokers;
        this.log = new TopicPartition(logTopic, 0);
        this.group = PublisherGroup.groupOf(logTopic);
    }

    @Override
    public boolean isHere(Duration patience) {
        var member = consumer();
        var wasHere = isHere;
        member.poll(isGiven ? Duration.ZERO : patience);
        if (wasHere && !isHere) {
            // Taken away, and perhaps given again: who had it in between may have published.
            return false;
        }
        if (!isGiven) {
            isHere = false;
        } else if (!isHere) {
            begin(member);
        } else if (System.nanoTime() - renewedAtNanos >= RENEWED_EVERY.toNanos()) {
            renew(member);
        }
        return isHere;
    }

    /// Throws where the mark cannot be had now: to be asked again.
    private void begin(Consumer<byte[], byte[]> member) {
        var committed = member.committed(Set.of(log), PATIENCE).get(log);
        mark = committed == null ? 0 : committed.offset();
        isHere = true;
        renew(member);
    }

    private Consumer<byte[], byte[]> consumer() {
        if (consumer == null) {
            consumer = Clients.member(brokers, group, SESSION);
            consumer.subscribe(List.of(log.topic()), new Given(consumer));
        }
        return consumer;
    }

    private void renew(Consumer<byte[], byte[]> member) {
        var nanos = System.nanoTime();
        var millis = System.currentTimeMillis();
        try {
            member.commitSync(Map.of(log, new OffsetAndMetadata(mark)), PATIENCE);
            renewedAtNanos = nanos;
            certainAtMillis = millis;
        } catch (CommitFailedException | RebalanceInProgressException e) {
            isHere = false;
        }
    }

    @Override
    public OptionalLong certainAt() {
        return OptionalLong.of(certainAtMillis);
    }

    @Override
    public long publishedUpTo() {
        return mark;
    }

    @Override
    public void publishedUpTo(long revision) {
        mark = revision;
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(PATIENCE));
            consumer = null;
        }
        isGiven = false;
        isHere = false;
    }

    /// Called inside of `poll`, so on the thread that owns the duty.
    private final class Given implements ConsumerRebalanceListener {
        private final Consumer<byte[], byte[]> member;

        private Given(Consumer<byte[], byte[]> member) {
            this.member = member;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (partitions.contains(log)) {
                // Nothing is read by this consumer.
                member.pause(partitions);
                isGiven = true;
                isHere = false;
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            isGiven = false;
            isHere = false;
        }
    }
}
