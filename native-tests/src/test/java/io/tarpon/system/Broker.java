package io.tarpon.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// The broker of a cluster, as an object store or a person with Kafka's tools uses it.
final class Broker implements AutoCloseable {
    private static final long SECONDS = 30;

    private final Map<String, Object> config;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    Broker(Tarpon tarpon) {
        this(tarpon, "none");
    }

    /// @param codec how the producer compresses
    Broker(Tarpon tarpon, String codec) {
        config = Map.of(
                "bootstrap.servers",
                tarpon.url("kafka"),
                "acks",
                "all",
                "compression.type",
                codec,
                "default.api.timeout.ms",
                30_000);
        admin = Admin.create(properties("bootstrap.servers", tarpon.url("kafka")));
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Properties properties(String name, String value) {
        var properties = new Properties();
        properties.put(name, value);
        return properties;
    }

    /// Afterwards the record is in the topic.
    ///
    /// @param key empty for a producer that has none
    void send(String topic, Optional<String> key, byte[] value) {
        try {
            producer.send(new ProducerRecord<>(topic, key.map(String::getBytes).orElse(null), value))
                    .get(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the broker does not take records", e);
        }
    }

    /// Waits until a group has worked off all that is in a topic now.
    void awaitConsumed(String topic, String group) {
        var ends = ends(topic);
        Tarpon.await(group + " to work " + topic + " off", () -> isConsumed(group, ends));
    }

    /// Whether a group has worked off and committed all that is in a topic now.
    boolean isConsumed(String topic, String group) {
        return isConsumed(group, ends(topic));
    }

    private boolean isConsumed(String group, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> committed(group, end.getKey()) >= end.getValue());
    }

    /// Waits until consumers that joined after `before` was asked for have all partitions of the group's topic; looks
    /// often, for this is measured.
    void awaitAssigned(String group, String topic, Set<String> before) {
        int partitions = partitions(topic).size();
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (assigned(group, before) < partitions) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(group + " gets no partitions");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /// Waits until a group has so many members, and all of the topic is shared out evenly among them.
    void awaitShares(String group, String topic, int members) {
        int partitions = partitions(topic).size();
        Tarpon.await(members + " members of " + group + " that share " + topic, () -> {
            var shares = describe(group).stream()
                    .mapToInt(member -> member.assignment().topicPartitions().size())
                    .summaryStatistics();
            return shares.getCount() == members
                    && shares.getSum() == partitions
                    && shares.getMax() - shares.getMin() <= 1;
        });
    }

    /// The consumers of a group, by the ids that the broker gave them.
    Set<String> members(String group) {
        return describe(group).stream().map(MemberDescription::consumerId).collect(Collectors.toSet());
    }

    private int assigned(String group, Set<String> before) {
        return describe(group).stream()
                .filter(member -> !before.contains(member.consumerId()))
                .mapToInt(member -> member.assignment().topicPartitions().size())
                .sum();
    }

    private Collection<MemberDescription> describe(String group) {
        return asked(() -> admin.describeConsumerGroups(List.of(group))
                .describedGroups()
                .get(group)
                .get()
                .members());
    }

    private List<TopicPartition> partitions(String topic) {
        return asked(() -> admin.describeTopics(List.of(topic)).topicNameValues().get(topic).get().partitions().stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList());
    }

    private Map<TopicPartition, Long> ends(String topic) {
        return asked(() -> {
            var latest = partitions(topic).stream()
                    .collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
            return admin.listOffsets(latest).all().get().entrySet().stream()
                    .filter(end -> end.getValue().offset() > 0)
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, end -> end.getValue().offset()));
        });
    }

    private long committed(String group, TopicPartition partition) {
        return asked(() -> {
            var offset = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(partition);
            return offset == null ? 0L : offset.offset();
        });
    }

    private interface Question<T> {
        T answer() throws InterruptedException, ExecutionException;
    }

    private static <T> T asked(Question<T> question) {
        try {
            return question.answer();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /// How many records a topic holds.
    long records(String topic) {
        var ends = ends(topic);
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", config.get("bootstrap.servers")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            var begins = consumer.beginningOffsets(ends.keySet(), Duration.ofSeconds(SECONDS));
            return ends.entrySet().stream()
                    .mapToLong(end -> end.getValue() - begins.getOrDefault(end.getKey(), 0L))
                    .sum();
        }
    }

    /// All that a topic holds now, in the order of each partition.
    List<byte[]> values(String topic) {
        var ends = ends(topic);
        var values = new ArrayList<byte[]>();
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", config.get("bootstrap.servers")),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        admin.close(Duration.ofSeconds(5));
    }
}
