package io.tarpon.metadata.log;

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

/// Kafka clients as the log needs them. Each throws [org.apache.kafka.common.KafkaException] where nobody knows the
/// name of a broker.
final class KafkaClients {
    private static final String CLIENT_ID = "metadata-log";
    private static final int RECONNECT_MAX_MILLIS = 1_000;
    private static final int FETCH_BYTES = 4 << 20;
    private static final int PARTS_OF_DEADLINE = 2;

    private KafkaClients() {}

    /// Idempotent, so that what it sends again by itself is there once; what it gave up after the deadline may
    /// still arrive.
    static Producer<byte[], byte[]> producer(KafkaSettings settings, int maxRecordBytes) {
        var deadline = Math.toIntExact(settings.deadline().toMillis());
        return new KafkaProducer<>(
                Map.ofEntries(
                        Map.entry(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.brokers()),
                        Map.entry(CommonClientConfigs.CLIENT_ID_CONFIG, CLIENT_ID),
                        Map.entry(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MAX_MILLIS),
                        Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true),
                        Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
                        Map.entry(ProducerConfig.LINGER_MS_CONFIG, 0),
                        Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deadline),
                        Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, deadline / PARTS_OF_DEADLINE),
                        Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, deadline),
                        Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRecordBytes),
                        Map.entry(
                                ProducerConfig.BUFFER_MEMORY_CONFIG,
                                Math.max(settings.queuedBytes(), maxRecordBytes) + maxRecordBytes)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /// Without a group, and without a place to begin where the one it asks for is not there.
    static Consumer<byte[], byte[]> consumer(KafkaSettings settings) {
        return new KafkaConsumer<>(
                Map.of(
                        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                        settings.brokers(),
                        CommonClientConfigs.CLIENT_ID_CONFIG,
                        CLIENT_ID,
                        CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        RECONNECT_MAX_MILLIS,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        FETCH_BYTES,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        FETCH_BYTES),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /// @param patience after which a question has no answer
    static Admin admin(KafkaSettings settings, Duration patience) {
        var millis = Math.toIntExact(patience.toMillis());
        return Admin.create(Map.of(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.brokers(),
                CommonClientConfigs.CLIENT_ID_CONFIG, CLIENT_ID,
                CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MAX_MILLIS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis));
    }
}
