package io.tarpon.ingest.stream;

import io.tarpon.ingest.LetterPlace;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/// One partition, read by offset: from the end backwards, or at one place. Bounded by the time given.
final class Partition {
    /// Records of one step backwards.
    private static final int CHUNK = 500;

    private static final Duration POLL = Duration.ofMillis(200);

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final long deadline;
    private final long begin;
    private final long end;

    /// @param deadline of [System#nanoTime]
    Partition(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            TopicPartition partition,
            long deadline) {
        this.consumer = consumer;
        this.partition = partition;
        this.deadline = deadline;
        this.begin = only(consumer.beginningOffsets(List.of(partition)));
        this.end = only(consumer.endOffsets(List.of(partition)));
    }

    private static long only(Map<TopicPartition, Long> offsets) {
        return offsets.values().iterator().next();
    }

    /// Of the first record that is there.
    long begin() {
        return begin;
    }

    long end() {
        return end;
    }

    LetterPlace place(long offset) {
        return new LetterPlace(partition.topic(), partition.partition(), offset);
    }

    boolean hasTime() {
        return System.nanoTime() < deadline;
    }

    /// @throws TarponException `not-ready` where it is not
    void require(boolean inTime) {
        if (!inTime) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    partition.topic() + " could not be looked through in time; ask again, or raise"
                            + " tarpon.ingest.letter-timeout");
        }
    }

    /// Gives records from `from` to before the smaller of `to` and the end, in order.
    ///
    /// @return whether it came that far in time
    boolean read(long from, long to, Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
        return readWhile(from, to, record -> {
                    visitor.accept(record);
                    return true;
                })
                >= Math.min(to, end);
    }

    /// As [#read], but goes on only while the visitor says so.
    ///
    /// @return where to go on: behind the last record that was given, or `to`; less than that where time was up
    long readWhile(long from, long to, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        long last = Math.min(to, end);
        consumer.assign(List.of(partition));
        consumer.seek(partition, Math.max(from, begin));
        while (consumer.position(partition) < last && hasTime()) {
            for (var record : consumer.poll(POLL)) {
                if (record.offset() >= last) {
                    return to;
                }
                if (!visitor.test(record)) {
                    return record.offset() + 1;
                }
            }
        }
        long reached = consumer.position(partition);
        return reached < last ? reached : to;
    }

    /// Steps to go backwards from `start`, the newest first, until the `most` records before it are covered.
    List<Step> backwards(long start, int most) {
        var steps = new ArrayList<Step>();
        long oldest = Math.max(begin, start - most);
        for (long to = start; to > oldest; to -= CHUNK) {
            steps.add(new Step(Math.max(oldest, to - CHUNK), to));
        }
        return steps;
    }

    /// Offsets, `to` exclusive.
    record Step(long from, long to) {}
}
