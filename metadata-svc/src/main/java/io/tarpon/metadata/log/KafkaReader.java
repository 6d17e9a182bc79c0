package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.wire.format.CorruptFormatException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/// Reads the topic of a [KafkaLog]: what this process appended itself as it is acknowledged, and what others did by a
/// consumer, which is opened once the topic was found.
///
/// A broker's answer to a consumer costs both of them more than an append. So while entries of this process follow
/// each other, the consumer rests, for [#QUIET] after the last of them; one that has another's before it shows that at
/// once.
final class KafkaReader implements LogReader {
    /// How long an entry of another process may wait, unread, for one of this process.
    private static final Duration QUIET = Duration.ofMillis(5);

    private final KafkaSettings settings;
    private final KafkaTopic topic;
    private final OwnEntries own;
    /// Read and not given yet.
    private final ArrayDeque<ConsumerRecord<byte[], byte[]>> ahead = new ArrayDeque<>();

    private @Nullable Consumer<byte[], byte[]> consumer;
    private long position;
    /// Where the consumer reads on.
    private long consumed = -1;
    /// Whether the last entry was this process' own.
    private boolean follows;

    KafkaReader(KafkaSettings settings, KafkaTopic topic, OwnEntries own, long position) {
        this.settings = settings;
        this.topic = topic;
        this.own = own;
        this.position = position;
    }

    @Override
    public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
        if (limit < 1) {
            throw new IllegalArgumentException("at most " + limit + " entries");
        }
        var until = System.nanoTime() + patience.toNanos();
        topic.awaitReached(patience);
        var entries = ahead.isEmpty() ? arriving(limit, until) : fromAhead(limit);
        topic.requireWhole();
        if (entries.isEmpty()) {
            topic.requireThere();
        }
        position += entries.size();
        own.read(position);
        return entries;
    }

    private List<byte[]> fromAhead(int limit) {
        var entries = new ArrayList<byte[]>();
        while (entries.size() < limit && !ahead.isEmpty()) {
            entries.add(ahead.remove().value());
        }
        return entries;
    }

    /// What comes first: entries of this process, or those that a consumer finds.
    private List<byte[]> arriving(int limit, long until) throws IOException, InterruptedException {
        while (true) {
            var mine = own.take(position, limit);
            if (mine.isEmpty() && follows) {
                own.await(QUIET);
                mine = own.take(position, limit);
            }
            follows = !mine.isEmpty();
            if (follows) {
                return mine;
            }
            var left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
            if (poll(opened(), left)) {
                return fromAhead(limit);
            }
        }
    }

    /// False where an entry of this process came in between.
    private boolean poll(Consumer<byte[], byte[]> from, Duration patience) throws IOException, InterruptedException {
        // Where a later one of this process is here, others have put something before it, which need not be waited for.
        var isAlone = own.isEmpty();
        if (isAlone && !own.watch(from::wakeup)) {
            return false;
        }
        try {
            fetch(from, patience);
            return true;
        } catch (WakeupException e) {
            return false;
        } finally {
            own.unwatch();
        }
    }

    private void fetch(Consumer<byte[], byte[]> from, Duration patience) throws IOException, InterruptedException {
        try {
            if (consumed != position) {
                from.seek(topic.partition(), position);
                consumed = position;
            }
            for (var record : from.poll(patience)) {
                var expected = position + ahead.size();
                if (record.offset() != expected || record.value() == null) {
                    throw topic.fail(new CorruptFormatException(
                            topic.name(),
                            "metadata log",
                            "entry " + (expected + 1) + " is not there, but one at " + (record.offset() + 1)));
                }
                if (!topic.showsFillers() && TopicFill.isFiller(record.value())) {
                    // It stands for what was removed, and shows again where a broker forgot that.
                    throw new LogTrimmedException(topic.name(), expected + 1, expected + 1);
                }
                ahead.add(record);
            }
            consumed = position + ahead.size();
        } catch (WakeupException e) {
            throw e;
        } catch (InterruptException e) {
            Thread.interrupted();
            var interrupted = new InterruptedException("interrupted while " + topic.name() + " was read");
            interrupted.initCause(e);
            throw interrupted;
        } catch (InvalidOffsetException e) {
            throw notThere(from, e);
        } catch (RetriableException | AuthenticationException | AuthorizationException e) {
            throw new LogUnavailableException(topic.name() + " cannot be read: " + e, e);
        } catch (KafkaException e) {
            throw topic.fail(new CorruptFormatException(
                    topic.name(), "metadata log", "entry " + (position + 1) + " cannot be read: " + e, e));
        }
    }

    private Consumer<byte[], byte[]> opened() throws LogUnavailableException {
        if (consumer == null) {
            try {
                consumer = KafkaClients.consumer(settings);
            } catch (KafkaException e) {
                // Such as: nobody knows the name of a broker now.
                throw new LogUnavailableException(topic.name() + " cannot be read: " + e, e);
            }
            consumer.assign(List.of(topic.partition()));
            consumed = -1;
        }
        return consumer;
    }

    private IOException notThere(Consumer<byte[], byte[]> from, InvalidOffsetException reason)
            throws LogUnavailableException {
        var partitions = List.of(topic.partition());
        try {
            Map<?, Long> first = from.beginningOffsets(partitions);
            Map<?, Long> last = from.endOffsets(partitions);
            var begin = first.getOrDefault(topic.partition(), 0L);
            return begin > position
                    ? new LogTrimmedException(topic.name(), position + 1, begin)
                    : topic.fail(new IOException(
                            "entry " + (position + 1) + " is not in " + topic.name() + ", which has entries "
                                    + (begin + 1) + " to " + last.getOrDefault(topic.partition(), 0L)
                                    + ": it lost its end",
                            reason));
        } catch (KafkaException e) {
            throw new LogUnavailableException(topic.name() + " does not tell what it has: " + e, e);
        }
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            consumer = null;
        }
    }
}
