package io.tarpon.ingest.stream;

import io.smallrye.common.annotation.Identifier;
import io.tarpon.ingest.DeadLetterBox;
import io.tarpon.ingest.LetterLimits;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jboss.logging.Logger;

/// Dead-letter topics, each request with a consumer of its own that belongs to no group, so that looking changes
/// nothing. One request at a time, and bounded: in time, in records looked through, and in memory by one fetch, since
/// a list keeps no values.
@ApplicationScoped
public class LetterTopics implements DeadLetterBox {
    private static final Logger LOG = Logger.getLogger(LetterTopics.class);
    private static final int FETCH_BYTES = 4 << 20;

    private final Map<String, Object> broker;
    private final DeadLetters deadLetters;
    private final Duration timeout;
    private final int mostRecords;
    private final Semaphore turn = new Semaphore(1);

    LetterTopics(
            @Identifier("default-kafka-broker") Map<String, Object> broker,
            DeadLetters deadLetters,
            LetterLimits limits) {
        this.broker = broker;
        this.deadLetters = deadLetters;
        this.timeout = limits.timeout();
        this.mostRecords = limits.records();
    }

    @Override
    public DeadLetterList list(Optional<String> topic, int limit) {
        return reading((consumer, deadline) -> {
            var found = new LetterScan(limit);
            for (var name : topic.map(List::of).orElse(TOPICS)) {
                for (var partition : partitions(consumer, name)) {
                    found.scan(new Partition(consumer, partition, deadline), mostRecords);
                }
            }
            return found.newest();
        });
    }

    @Override
    public Optional<DeadLetter> read(String topic, int partition, long offset) {
        return reading((consumer, deadline) -> {
            var place = new TopicPartition(topic, partition);
            var record = record(consumer, place, offset, deadline).filter(found -> !LetterScan.isMarker(found));
            if (record.isEmpty()) {
                return Optional.empty();
            }
            var retries = new HashMap<Long, Instant>();
            var rest = new Partition(consumer, place, deadline);
            rest.read(offset + 1, offset + 1 + mostRecords, later -> LetterScan.noteRetry(later, retries));
            return Optional.of(LetterScan.letter(record.get(), retries.get(offset), true));
        });
    }

    @Override
    public Optional<DeadLetter> retry(String topic, int partition, long offset) {
        return reading((consumer, deadline) -> {
            var place = new TopicPartition(topic, partition);
            var dead = record(consumer, place, offset, deadline).filter(found -> !LetterScan.isMarker(found));
            if (dead.isEmpty()) {
                return Optional.empty();
            }
            var original = topic.substring(0, topic.length() - ".dlq".length());
            var message = message(consumer, dead.get(), original, deadline);
            try {
                deadLetters.putBack(
                        original, message.key(), message.value(), LetterHeaders.original(message.headers()));
                deadLetters.markRetried(place.topic(), place.partition(), offset);
            } catch (IOException e) {
                throw new TarponException(
                        ProblemType.NOT_READY, "the letter may not have been put back: " + e.getMessage(), e);
            }
            LOG.infof("dead letter put back id=%s/%d/%d topic=%s", topic, partition, offset, original);
            return Optional.of(LetterScan.letter(dead.get(), Instant.now(), false));
        });
    }

    /// What died: the letter itself or, where it has not all of it, the original for as long as the topic keeps it.
    private static ConsumerRecord<byte[], byte[]> message(
            KafkaConsumer<byte[], byte[]> consumer,
            ConsumerRecord<byte[], byte[]> dead,
            String original,
            long deadline) {
        if (LetterHeaders.text(dead.headers(), LetterHeaders.LEFT_OUT).isEmpty()) {
            return dead;
        }
        var partition =
                LetterHeaders.number(dead.headers(), LetterHeaders.PARTITION).orElse(-1L);
        var offset = LetterHeaders.number(dead.headers(), LetterHeaders.OFFSET).orElse(-1L);
        return record(consumer, new TopicPartition(original, partition.intValue()), offset, deadline)
                .orElseThrow(() -> new TarponException(
                        ProblemType.CONFLICT,
                        "the message was too large for a dead letter, and " + original + " no longer has it at "
                                + partition + "/" + offset + "; send it again"));
    }

    private static Optional<ConsumerRecord<byte[], byte[]>> record(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition place, long offset, long deadline) {
        if (!partitions(consumer, place.topic()).contains(place)) {
            return Optional.empty();
        }
        var partition = new Partition(consumer, place, deadline);
        var found = new ArrayList<ConsumerRecord<byte[], byte[]>>(1);
        if (offset >= partition.begin() && offset < partition.end()) {
            boolean isRead = partition.read(offset, offset + 1, found::add);
            if (!isRead) {
                throw new TarponException(ProblemType.NOT_READY, "the broker did not answer in time; ask again");
            }
        }
        return found.stream().filter(record -> record.offset() == offset).findFirst();
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .sorted(Comparator.comparingInt(TopicPartition::partition))
                .toList();
    }

    private interface Look<T> {
        T look(KafkaConsumer<byte[], byte[]> consumer, long deadline);
    }

    private <T> T reading(Look<T> look) {
        long deadline = System.nanoTime() + timeout.toNanos();
        takeTurn();
        try (var consumer = open()) {
            return look.look(consumer, deadline);
        } catch (KafkaException e) {
            throw new TarponException(ProblemType.NOT_READY, "the broker does not answer: " + e.getMessage(), e);
        } finally {
            turn.release();
        }
    }

    private void takeTurn() {
        try {
            if (turn.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new TarponException(ProblemType.OVERLOADED, "others are looking at dead letters; ask again");
    }

    private KafkaConsumer<byte[], byte[]> open() {
        var settings = new HashMap<>(broker);
        settings.remove("group.id");
        settings.put("enable.auto.commit", false);
        settings.put("allow.auto.create.topics", false);
        settings.put("auto.offset.reset", "earliest");
        settings.put("fetch.max.bytes", FETCH_BYTES);
        settings.put("max.partition.fetch.bytes", FETCH_BYTES / 2);
        settings.put("max.poll.records", 500);
        settings.put("default.api.timeout.ms", (int) timeout.toMillis());
        settings.put("request.timeout.ms", (int) timeout.toMillis());
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
