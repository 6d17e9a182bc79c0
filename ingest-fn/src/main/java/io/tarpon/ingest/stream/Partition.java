package io.tarpon.ingest.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/// One partition, read by offset: from the end backwards, or at one place. Bounded by the time given.
final class Partition {
    /// Records of one step backwards.
    private static final int CHUNK = 500;

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final long deadline;
    private final long begin;
    private final long end;

    /// @param deadline of [System#nanoTime]
    Partition(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long deadline) {
        this.consumer = consumer;
        this.partition = partition;
        this.deadline = deadline;
        consumer.assign(List.of(partition));
        this.begin = only(consumer.beginningOffsets(List.of(partition)));
        this.end = only(consumer.endOffsets(List.of(partition)));
    }

    private static long only(Map<TopicPartition, Long> offsets) {
        return offsets.values().iterator().next();
    }

    long begin() {
        return begin;
    }

    long end() {
        return end;
    }

    /// Gives records from `from` to before the smaller of `to` and the end, in order.
    ///
    /// @return whether it came that far in time
    boolean read(long from, long to, Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
        long last = Math.min(to, end);
        long first = Math.max(from, begin);
        consumer.seek(partition, first);
        while (consumer.position(partition) < last) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            for (var record : consumer.poll(POLL)) {
                if (record.offset() >= last) {
                    return true;
                }
                visitor.accept(record);
            }
        }
        return true;
    }

    /// Steps to go backwards, the newest first, until the last `most` records are covered.
    List<Step> backwards(int most) {
        var steps = new ArrayList<Step>();
        long oldest = Math.max(begin, end - most);
        for (long to = end; to > oldest; to -= CHUNK) {
            steps.add(new Step(Math.max(oldest, to - CHUNK), to));
        }
        return steps;
    }

    /// Offsets, `to` exclusive.
    record Step(long from, long to) {}
}
