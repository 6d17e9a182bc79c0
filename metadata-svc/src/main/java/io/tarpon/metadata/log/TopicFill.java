package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/// Puts entries at the end of a topic that nobody else appends to, many at a time. Owned by one thread. What waits for
/// the broker is bounded in bytes.
///
/// Crash points: at any time the topic has the first of the entries that were added, without a gap. Whoever goes on
/// looks at its end.
public final class TopicFill implements AutoCloseable {
    /// Stands at a position whose entry is in no log any more.
    private static final byte[] FILLER = {'-'};

    private static final long PAUSE_MILLIS = 20;

    private final KafkaSettings settings;
    private final Producer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private long added;
    /// Position of the last one that is durable.
    private volatile long acknowledged;

    /// @param end of the log as it is
    /// @param longestBytes of the longest entry that will be added
    public TopicFill(KafkaSettings settings, long end, int longestBytes) throws IOException {
        this.settings = settings;
        this.added = end;
        this.acknowledged = end;
        try {
            this.producer = KafkaClients.filler(
                    settings, Math.max(KafkaTopic.MAX_RECORD_BYTES, longestBytes + KafkaTopic.BATCH_OVERHEAD_BYTES));
        } catch (KafkaException e) {
            throw new LogUnavailableException(name() + " cannot be written: " + e, e);
        }
    }

    /// Takes the next entry on its way.
    ///
    /// @throws IOException it may be in the topic or not, and one before it that was on its way
    public void add(byte[] entry) throws IOException {
        requireWell();
        var position = added + 1;
        try {
            var _ = producer.send(
                    new ProducerRecord<>(settings.topic(), 0, null, entry),
                    (there, problem) -> see(position, there, problem));
        } catch (InterruptException e) {
            throw interrupted();
        } catch (KafkaException | IllegalStateException e) {
            throw failed(e);
        }
        added = position;
    }

    /// Takes on its way what stands for an entry that was removed.
    public void addFiller() throws IOException {
        add(FILLER);
    }

    /// Whether these bytes stand for an entry that was removed.
    public static boolean isFiller(byte[] entry) {
        return Arrays.equals(entry, FILLER);
    }

    /// Returns once all that was added is durable.
    ///
    /// @throws IOException it is not: the first failure, or for the log's deadline there was no progress
    public void finish() throws IOException, InterruptedException {
        var seen = acknowledged;
        var since = System.nanoTime();
        while (acknowledged < added) {
            requireWell();
            Thread.sleep(PAUSE_MILLIS);
            if (acknowledged > seen) {
                seen = acknowledged;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > settings.deadline().toNanos()) {
                throw new LogUnavailableException(
                        name() + " has not acknowledged entry " + (seen + 1) + " after " + settings.deadline());
            }
        }
        requireWell();
    }

    /// On the producer's thread, in order of positions.
    private void see(long position, @Nullable RecordMetadata there, @Nullable Exception problem) {
        if (problem != null) {
            failure.compareAndSet(null, failed(problem));
        } else if (there != null && there.offset() + 1 != position) {
            failure.compareAndSet(
                    null,
                    new IOException("entry " + position + " became number " + (there.offset() + 1) + " of " + name()
                            + ": somebody else appends to it; stop that, delete the topic, and move again"));
        } else {
            acknowledged = position;
        }
    }

    private void requireWell() throws IOException {
        var first = failure.get();
        if (first != null) {
            throw new IOException(first.getMessage(), first);
        }
    }

    private IOException failed(Exception reason) {
        return new IOException(name() + " does not take entries: " + reason, reason);
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while entries were on their way to " + name());
    }

    private String name() {
        return "topic " + settings.topic() + " at " + settings.brokers();
    }

    /// Does not wait for what is on its way.
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
