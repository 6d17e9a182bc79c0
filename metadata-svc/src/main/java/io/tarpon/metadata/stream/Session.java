package io.tarpon.metadata.stream;

import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.wire.event.Events;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.utils.Utils;
import org.jboss.logging.Logger;

/// One producer and the ends of the topic that were read before it sent anything. It is closed, and another
/// opened, after any failure. Owned by the publisher's thread.
final class Session implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Session.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] CONTENT_TYPE = Events.CONTENT_TYPE.getBytes(StandardCharsets.US_ASCII);

    private final String topic;
    private final TopicEnds ends;
    private final Producer<byte[], byte[]> producer;
    private final boolean isShared;

    private Session(String topic, TopicEnds ends, Producer<byte[], byte[]> producer, boolean isShared) {
        this.isShared = isShared;
        this.topic = topic;
        this.ends = ends;
        this.producer = producer;
    }

    /// Throws [KafkaException] where the broker or the topic is not there.
    ///
    /// @param isShared others may have the duty to publish: the broker is told to take no message that is older
    ///     than [GroupDuty#FRESHNESS]
    static Session open(PublisherSettings settings, boolean isShared) throws InterruptedException {
        if (isShared) {
            Freshness.require(settings.brokers(), settings.topic(), GroupDuty.FRESHNESS);
        }
        try (var consumer = Clients.consumer(settings.brokers())) {
            var ends = TopicEnds.read(consumer, settings.topic(), settings.settle());
            return new Session(settings.topic(), ends, Clients.producer(settings.brokers()), isShared);
        }
    }

    TopicEnds ends() {
        return ends;
    }

    /// Sends those events that the topic does not hold, and waits until all are acknowledged.
    /// Throws [KafkaException] where that is not known of one; then any of them may be there.
    ///
    /// @param mark revision up to which all are known to be there
    /// @param certainAt when it was certain that nobody else publishes, in milliseconds since 1970; empty where
    ///     nobody else can
    void publish(List<CommittedEvent> events, long mark, OptionalLong certainAt) throws InterruptedException {
        var sent = new ArrayList<Future<RecordMetadata>>();
        for (var event : events) {
            var key = event.event().dataset().value().getBytes(StandardCharsets.UTF_8);
            var partition = Utils.toPositive(Utils.murmur2(key)) % ends.partitions();
            if (event.revision() > mark && EventId.of(event).compareTo(ends.last(partition)) > 0) {
                sent.add(producer.send(message(event, partition, key, certainAt)));
            }
        }
        for (var future : sent) {
            await(future);
        }
    }

    private void await(Future<RecordMetadata> sent) throws InterruptedException {
        var patience = isShared ? GroupDuty.SESSION : PATIENCE;
        while (true) {
            try {
                sent.get(patience.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                if (isShared) {
                    // The broker would not take it any more.
                    throw new KafkaException("no acknowledgement for " + patience, e);
                }
                LOG.warnf("events wait for the broker topic=%s reason=no acknowledgement for %s", topic, patience);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof InvalidTimestampException) {
                    throw new KafkaException(
                            "the broker found an event too old: this process stood still, or its clock is behind that"
                                    + " of the broker; " + e.getCause().getMessage(),
                            e.getCause());
                }
                throw new KafkaException("an event was not acknowledged: " + e.getCause(), e.getCause());
            }
        }
    }

    private ProducerRecord<byte[], byte[]> message(
            CommittedEvent event, int partition, byte[] key, OptionalLong certainAt) {
        var envelope = new Events.Envelope(
                event.id(), EventPublisher.SOURCE, event.at(), Optional.ofNullable(event.traceparent()));
        var message = new ProducerRecord<>(
                topic,
                partition,
                certainAt.isPresent() ? certainAt.getAsLong() : null,
                key,
                Events.encode(envelope, event.event()));
        message.headers().add(new RecordHeader("content-type", CONTENT_TYPE));
        return message;
    }

    /// Does not wait for what is on its way.
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
