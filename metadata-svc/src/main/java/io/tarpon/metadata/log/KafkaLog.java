package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.FollowedTopic;
import io.tarpon.metadata.entry.LogBusyException;
import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/// The metadata log of many machines: one partition of a Kafka topic, an entry a record. Any number of replicas
/// append to it and read it; Kafka's order is the order, and what it acknowledges with acks=all is durable.
///
/// A record's offset is its position less one. That is without a gap because nothing is written in transactions,
/// compacted or expired, which [KafkaTopic] holds the topic to.
///
/// Crash points: before a record is sent, nothing; once it is, it may be in the log, also when its producer is dead
/// or gave up, and also later than what others appended since. Nobody was answered then, guards make it harmless,
/// and whoever asks again is answered from what was replayed. After the acknowledgement it is there.
///
/// While no broker answers, or too few are in sync, nothing is appended, and that is said at once ([KafkaTopic]
/// looks every second). An append that was under way then ends at its deadline, in doubt.
public final class KafkaLog implements MetadataLog {
    private final KafkaSettings settings;
    private final KafkaTopic topic;
    private final OwnEntries own;
    private final AtomicLong bytesUnderWay = new AtomicLong();
    private final Object lock = new Object();
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean closed;

    private KafkaLog(KafkaSettings settings, KafkaTopic topic) {
        this.settings = settings;
        this.topic = topic;
        this.own = new OwnEntries(settings.queuedBytes());
    }

    /// Returns at once, whether a broker is there or not.
    public static KafkaLog open(KafkaSettings settings, FollowedTopic followed) throws IOException {
        return new KafkaLog(settings, new KafkaTopic(settings, followed, false));
    }

    /// A log that may take no entries ([TopicGate]): to be read, and cut at its beginning.
    public static KafkaLog openToRead(KafkaSettings settings, FollowedTopic followed) throws IOException {
        return new KafkaLog(settings, new KafkaTopic(settings, followed, true));
    }

    /// Returns once the topic was found.
    ///
    /// @throws LogUnavailableException it was not after `patience`
    public void awaitReached(Duration patience) throws IOException, InterruptedException {
        topic.awaitReached(patience);
    }

    @Override
    public long append(byte[] entry) throws IOException {
        MetadataLog.requireFits(entry);
        try {
            topic.requireThere();
        } catch (LogUnavailableException e) {
            // A producer goes on asking for its topic, and some brokers make one that is asked for.
            replace(null);
            throw e;
        }
        if (bytesUnderWay.addAndGet(entry.length) > settings.queuedBytes() + MAX_ENTRY_BYTES) {
            bytesUnderWay.addAndGet(-entry.length);
            throw new LogBusyException(topic.name() + " has as many bytes on their way as it may");
        }
        try {
            return send(entry);
        } finally {
            bytesUnderWay.addAndGet(-entry.length);
        }
    }

    private long send(byte[] entry) throws IOException {
        var until = System.nanoTime() + settings.deadline().toNanos();
        Producer<byte[], byte[]> open = null;
        RecordMetadata there;
        try {
            open = producer();
            var sent = open.send(
                    new ProducerRecord<>(topic.partition().topic(), 0, null, entry),
                    (at, problem) -> acknowledged(entry, at, problem));
            there = sent.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException | InterruptException e) {
            throw interrupted();
        } catch (TimeoutException e) {
            throw new IOException(topic.name() + " has not acknowledged the entry after " + settings.deadline(), e);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof RetriableException)) {
                // It may be one that the producer does not get over.
                replace(open);
            }
            throw new IOException("append to " + topic.name() + " failed: " + e.getCause(), e);
        } catch (KafkaException | IllegalStateException e) {
            replace(open);
            throw new IOException("append to " + topic.name() + " failed: " + e, e);
        }
        if (!there.hasOffset()) {
            throw new IOException(topic.name() + " has the entry already and does not tell where");
        }
        return there.offset() + 1;
    }

    /// By the producer's thread, before the append ends.
    private void acknowledged(byte[] entry, RecordMetadata at, @Nullable Exception problem) {
        if (problem == null && at.hasOffset()) {
            own.acknowledged(at.offset() + 1, entry);
        }
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while the entry was on its way to " + topic.name());
    }

    private Producer<byte[], byte[]> producer() throws IOException {
        synchronized (lock) {
            if (closed) {
                throw new IOException(topic.name() + " is closed");
            }
            if (producer == null) {
                producer = KafkaClients.producer(settings, KafkaTopic.MAX_RECORD_BYTES);
            }
            return producer;
        }
    }

    /// The next append has a producer of its own; what is under way by the old one is in doubt.
    ///
    /// @param failed what to replace, unless somebody has already; null for whichever there is
    private void replace(@Nullable Producer<byte[], byte[]> failed) {
        Producer<byte[], byte[]> old;
        synchronized (lock) {
            if (producer == null || (failed != null && !failed.equals(producer))) {
                return;
            }
            old = producer;
            producer = null;
        }
        try {
            old.close(Duration.ZERO);
        } catch (InterruptException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public LogReader reader(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("read after " + position);
        }
        return new KafkaReader(settings, topic, own, position);
    }

    @Override
    public long end() throws IOException {
        return topic.end();
    }

    @Override
    public long begin() throws IOException {
        return topic.begin();
    }

    @Override
    public void trim(long position) throws IOException {
        MetadataLog.requireTrimmable(position, topic.end());
        if (position > topic.begin()) {
            topic.trim(position);
            own.read(position);
        }
    }

    @Override
    public boolean isWhole() {
        return topic.isWhole();
    }

    @Override
    public String name() {
        return topic.name();
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        replace(null);
        topic.close();
    }
}
