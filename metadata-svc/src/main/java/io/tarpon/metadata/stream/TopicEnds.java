package io.tarpon.metadata.stream;

import io.tarpon.wire.event.Events;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/// The last event in each partition of the topic: where a publisher goes on.
record TopicEnds(List<EventId> lastByPartition) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_LOOKS = 240;
    private static final int WIDER = 16;

    TopicEnds {
        lastByPartition = List.copyOf(lastByPartition);
    }

    int partitions() {
        return lastByPartition.size();
    }

    EventId last(int partition) {
        return lastByPartition.get(partition);
    }

    /// The revision after which events may be missing somewhere, given that all up to `mark` are known to be
    /// there.
    long from(long mark) {
        return lastByPartition.stream()
                .mapToLong(last -> Math.max(mark, last.revision() - 1))
                .min()
                .orElse(mark);
    }

    /// The highest revision found; 0 where the topic is empty.
    long highest() {
        return lastByPartition.stream().mapToLong(EventId::revision).max().orElse(0);
    }

    /// Reads the ends once they have stayed the same for `settle`: what a dead publisher had handed to its
    /// kernel may still be on its way into the topic.
    static TopicEnds read(Consumer<byte[], byte[]> consumer, String topic, Duration settle)
            throws InterruptedException {
        var partitions = consumer.partitionsFor(topic, TIMEOUT).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new KafkaException("topic " + topic + " is not there");
        }
        var ends = settled(consumer, partitions, settle);
        var begins = consumer.beginningOffsets(partitions, TIMEOUT);
        var last = new EventId[partitions.size()];
        for (var partition : partitions) {
            last[partition.partition()] = last(consumer, partition, at(begins, partition), at(ends, partition));
        }
        return new TopicEnds(List.of(last));
    }

    private static Map<TopicPartition, Long> settled(
            Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions, Duration settle)
            throws InterruptedException {
        var before = consumer.endOffsets(partitions, TIMEOUT);
        for (int look = 0; look < MAX_LOOKS; look++) {
            Thread.sleep(settle);
            var now = consumer.endOffsets(partitions, TIMEOUT);
            if (now.equals(before)) {
                return now;
            }
            before = now;
        }
        throw new KafkaException(
                "somebody else goes on writing to " + partitions.getFirst().topic());
    }

    /// The last event of ours between two offsets, looked for from the end in steps that grow: others may have
    /// written there.
    private static EventId last(Consumer<byte[], byte[]> consumer, TopicPartition partition, long begin, long end) {
        consumer.assign(List.of(partition));
        for (long back = 1; ; back *= WIDER) {
            var from = Math.max(begin, end - back);
            var found = from < end ? lastBetween(consumer, partition, from, end) : Optional.<EventId>empty();
            if (found.isPresent() || from == begin) {
                return found.orElse(EventId.NONE);
            }
        }
    }

    private static Optional<EventId> lastBetween(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, long from, long end) {
        consumer.seek(partition, from);
        Optional<EventId> last = Optional.empty();
        var deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (consumer.position(partition, TIMEOUT) < end) {
            for (var event : consumer.poll(TIMEOUT).records(partition)) {
                if (event.offset() < end) {
                    var id = id(event);
                    last = id.isPresent() ? id : last;
                }
            }
            if (System.nanoTime() > deadline) {
                throw new KafkaException(
                        "the end of " + partition + " cannot be read in " + TIMEOUT.toSeconds() + " s");
            }
        }
        return last;
    }

    private static Optional<EventId> id(ConsumerRecord<byte[], byte[]> event) {
        if (event.value() == null) {
            return Optional.empty();
        }
        try {
            var read = Events.structured(event.value());
            return read.getSource().toString().equals(EventPublisher.SOURCE)
                    ? EventId.parse(read.getId())
                    : Optional.empty();
        } catch (IOException e) {
            // Not an event: not ours, then.
            return Optional.empty();
        }
    }

    private static long at(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }
}
