package io.tarpon.metadata.stream;

import io.tarpon.service.stream.Brokers;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Kafka clients as the publisher needs them, with small buffers.
final class Clients {
    private static final int BUFFER_BYTES = 8 << 20;
    private static final int FETCH_BYTES = 1 << 20;
    private static final int MAX_BLOCK_MILLIS = 10_000;
    private static final int RECONNECT_MAX_MILLIS = 2_000;
    private static final int BEATS_OF_A_SESSION = 4;
    private static final int TELLING_MILLIS = 2_000;

    private Clients() {}

    /// Idempotent, and it never gives a record up by itself: a record that timed out might be sent again under
    /// another sequence and be there twice.
    static Producer<byte[], byte[]> producer(Brokers brokers) {
        return new KafkaProducer<>(
                brokers.clients(Map.of(
                        CommonClientConfigs.CLIENT_ID_CONFIG,
                        "metadata-svc",
                        CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        RECONNECT_MAX_MILLIS,
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        true,
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        Integer.MAX_VALUE,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        MAX_BLOCK_MILLIS,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        BUFFER_BYTES)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /// For what is told again soon: it waits for nothing, and gives up early.
    static Producer<byte[], byte[]> teller(Brokers brokers) {
        return new KafkaProducer<>(
                brokers.clients(Map.of(
                        CommonClientConfigs.CLIENT_ID_CONFIG,
                        "metadata-svc-presence",
                        CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        RECONNECT_MAX_MILLIS,
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        false,
                        ProducerConfig.ACKS_CONFIG,
                        "1",
                        ProducerConfig.RETRIES_CONFIG,
                        0,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        0,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        TELLING_MILLIS,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        TELLING_MILLIS,
                        ProducerConfig.LINGER_MS_CONFIG,
                        0)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /// One of a group that shares out partitions, and reads nothing.
    static Consumer<byte[], byte[]> member(Brokers brokers, String group, Duration session) {
        var millis = Math.toIntExact(session.toMillis());
        return new KafkaConsumer<>(
                brokers.clients(Map.of(
                        CommonClientConfigs.CLIENT_ID_CONFIG,
                        "metadata-svc-publisher",
                        CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        RECONNECT_MAX_MILLIS,
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group,
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        millis,
                        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                        millis / BEATS_OF_A_SESSION,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    static Admin admin(Brokers brokers) {
        return Admin.create(brokers.clients(Map.of(
                CommonClientConfigs.CLIENT_ID_CONFIG, "metadata-svc-events",
                CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MAX_MILLIS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MAX_BLOCK_MILLIS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, MAX_BLOCK_MILLIS)));
    }

    /// Without a group: it looks, and leaves no trace.
    static Consumer<byte[], byte[]> consumer(Brokers brokers) {
        return new KafkaConsumer<>(
                brokers.clients(Map.of(
                        CommonClientConfigs.CLIENT_ID_CONFIG,
                        "metadata-svc-ends",
                        CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        RECONNECT_MAX_MILLIS,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        FETCH_BYTES,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        FETCH_BYTES)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
