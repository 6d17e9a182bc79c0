package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// `tarpon.uploads` and the group `ingest-fn`, as the broker shows them to a test.
final class UploadTopicAtHand {
    static final int PARTITIONS = 4;
    private static final String TOPIC = "tarpon.uploads";
    private static final String GROUP = "ingest-fn";

    private final String broker;

    UploadTopicAtHand(String broker) {
        this.broker = broker;
    }

    /// Returns the offset behind it.
    long upload(int partition, String id, String dataset, String source) throws Exception {
        return send(
                partition,
                "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/test\",\"type\":\""
                        + DatasetUploaded.TYPE + "\",\"data\":{\"source\":\"" + source + "\",\"dataset\":\"" + dataset
                        + "\"}}",
                Map.of("content-type", Events.CONTENT_TYPE));
    }

    /// Returns the offset behind it.
    long send(int partition, String value, Map<String, String> headers) throws Exception {
        var config = Map.<String, Object>of("bootstrap.servers", broker, "acks", "all");
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            var record = new ProducerRecord<>(TOPIC, partition, "free".getBytes(UTF_8), value.getBytes(UTF_8));
            headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
            return producer.send(record).get(30, TimeUnit.SECONDS).offset() + 1;
        }
    }

    long committed(int partition) throws Exception {
        try (var admin = admin()) {
            var offset = admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(TOPIC, partition));
            return offset == null ? 0 : offset.offset();
        }
    }

    long deadLetters() throws Exception {
        var letters = new TopicPartition(TOPIC + ".dlq", 0);
        try (var admin = admin()) {
            return admin.listOffsets(Map.of(letters, OffsetSpec.latest()))
                    .partitionResult(letters)
                    .get()
                    .offset();
        }
    }

    /// Puts every consumer out of the group: it loses what it has, and comes back.
    void takeEverythingAway() throws Exception {
        try (var admin = admin()) {
            admin.removeMembersFromConsumerGroup(GROUP, new RemoveMembersFromConsumerGroupOptions())
                    .all()
                    .get();
        }
    }

    /// Another member of the group, which plans nothing and commits nothing.
    KafkaConsumer<byte[], byte[]> stranger() {
        var config = Map.<String, Object>of(
                "bootstrap.servers",
                broker,
                "group.id",
                GROUP,
                "enable.auto.commit",
                false,
                "partition.assignment.strategy",
                CooperativeStickyAssignor.class.getName());
        var stranger = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        stranger.subscribe(List.of(TOPIC));
        return stranger;
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", broker));
    }
}
