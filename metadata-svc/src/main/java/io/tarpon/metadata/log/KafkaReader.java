package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogReader;
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
import org.jspecify.annotations.Nullable;

/// Reads the topic of a [KafkaLog] by a consumer of its own, which is opened once the topic was found.
final class KafkaReader implements LogReader {
    private final KafkaSettings settings;
    private final KafkaTopic topic;
    /// Read and not given yet.
    private final ArrayDeque<ConsumerRecord<byte[], byte[]>> ahead = new ArrayDeque<>();

    private @Nullable Consumer<byte[], byte[]> consumer;
    private long position;

    KafkaReader(KafkaSettings settings, KafkaTopic topic, long position) {
        this.settings = settings;
        this.topic = topic;
        this.position = position;
    }

    @Override
    public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
        if (limit < 1) {
            throw new IllegalArgumentException("at most " + limit + " entries");
        }
        var until = System.nanoTime() + patience.toNanos();
        topic.awaitReached(patience);
        if (ahead.isEmpty()) {
            var left = Duration.ofNanos(until - System.nanoTime());
            poll(opened(), left.isNegative() ? Duration.ZERO : left);
        }
        topic.requireWhole();
        if (ahead.isEmpty()) {
            topic.requireThere();
        }
        var entries = new ArrayList<byte[]>();
        while (entries.size() < limit && !ahead.isEmpty()) {
            entries.add(ahead.remove().value());
        }
        position += entries.size();
        return entries;
    }

    private void poll(Consumer<byte[], byte[]> from, Duration patience) throws IOException, InterruptedException {
        try {
            for (var record : from.poll(patience)) {
                var expected = position + ahead.size();
                if (record.offset() != expected || record.value() == null) {
                    throw topic.fail(new CorruptFormatException(
                            topic.name(),
                            "metadata log",
                            "entry " + (expected + 1) + " is not there, but one at " + (record.offset() + 1)));
                }
                ahead.add(record);
            }
        } catch (InterruptException e) {
            Thread.interrupted();
            var interrupted = new InterruptedException("interrupted while " + topic.name() + " was read");
            interrupted.initCause(e);
            throw interrupted;
        } catch (InvalidOffsetException e) {
            throw topic.fail(new IOException(
                    "entry " + (position + 1) + " is not in " + topic.name() + ", which " + extent(from)
                            + ": it lost its end, or entries were removed from its beginning",
                    e));
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
            consumer.seek(topic.partition(), position);
        }
        return consumer;
    }

    /// What there is instead, as far as that can be told.
    private String extent(Consumer<byte[], byte[]> from) {
        try {
            var partitions = List.of(topic.partition());
            Map<?, Long> first = from.beginningOffsets(partitions);
            Map<?, Long> last = from.endOffsets(partitions);
            return "has entries " + (first.getOrDefault(topic.partition(), 0L) + 1) + " to "
                    + last.getOrDefault(topic.partition(), 0L);
        } catch (KafkaException e) {
            return "does not tell what it has (" + e + ")";
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
