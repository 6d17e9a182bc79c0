package io.tarpon.ingest.stream;

import io.tarpon.service.stream.LetterHeaders;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/// Single records, read at their places by one consumer.
///
/// @param deadline of [System#nanoTime]
record LetterOriginals(Consumer<byte[], byte[]> consumer, long deadline) {
    /// What died: the letter itself or, where it has not all of it, the original for as long as the topic keeps it.
    ///
    /// @throws TarponException `conflict` where that is gone
    ConsumerRecord<byte[], byte[]> of(ConsumerRecord<byte[], byte[]> letter) {
        if (!LetterRecords.isCut(letter)) {
            return letter;
        }
        var topic = diedIn(letter.topic());
        var partition =
                LetterHeaders.number(letter.headers(), LetterHeaders.PARTITION).orElse(-1L);
        var offset =
                LetterHeaders.number(letter.headers(), LetterHeaders.OFFSET).orElse(-1L);
        return record(new TopicPartition(topic, partition.intValue()), offset)
                .orElseThrow(() -> new TarponException(
                        ProblemType.CONFLICT,
                        "the message was too large for a dead letter, and " + topic + " no longer has it at "
                                + partition + "/" + offset + "; send it again"));
    }

    /// The topic that the letters of a topic died in.
    static String diedIn(String letters) {
        return letters.substring(0, letters.length() - ".dlq".length());
    }

    Optional<ConsumerRecord<byte[], byte[]>> record(TopicPartition place, long offset) {
        if (!partitions(place.topic()).contains(place)) {
            return Optional.empty();
        }
        var partition = new Partition(consumer, place, deadline);
        var found = new ArrayList<ConsumerRecord<byte[], byte[]>>(1);
        if (offset >= partition.begin() && offset < partition.end()) {
            partition.require(partition.read(offset, offset + 1, found::add));
        }
        return found.stream().filter(record -> record.offset() == offset).findFirst();
    }

    List<TopicPartition> partitions(String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .sorted(Comparator.comparingInt(TopicPartition::partition))
                .toList();
    }
}
