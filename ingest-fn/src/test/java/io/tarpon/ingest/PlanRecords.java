package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// What is in the real topic of plans.
final class PlanRecords implements AutoCloseable {
    static final String TOPIC = "tarpon.plans";

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long ADMIN_SECONDS = 60;

    private final String broker;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    /// @param broker which runs
    PlanRecords(String broker) {
        this.broker = broker;
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.partitions = consumer.partitionsFor(TOPIC).stream()
                .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                .toList();
    }

    /// How many ever came.
    long count() {
        return consumer.endOffsets(partitions).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /// Of the records that are there now.
    Set<String> keys() {
        var keys = new TreeSet<String>();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        var ends = consumer.endOffsets(partitions);
        while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
            consumer.poll(POLL).forEach(record -> keys.add(new String(record.key(), UTF_8)));
        }
        return keys;
    }

    /// As retention does, or somebody who makes the topic anew.
    void delete() throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", broker))) {
            var ends = consumer.endOffsets(partitions).entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, end -> RecordsToDelete.beforeOffset(end.getValue())));
            admin.deleteRecords(ends).all().get(ADMIN_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
