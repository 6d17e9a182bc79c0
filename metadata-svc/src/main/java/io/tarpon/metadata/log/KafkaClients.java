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
    private static final int BATCH_BYTES = 64 << 10;
    private static final int PARTS_OF_DEADLINE = 2;
    /// Half of what a topic takes at least.
    private static final int FILLED_BATCH_BYTES = 256 << 10;
    private static final int FILLING_LINGER_MILLIS = 5;

    private KafkaClients() {}

    /// Idempotent, so that what it sends again by itself is there once; what it gave up after the deadline may
    /// still arrive. One request at a time: what comes meanwhile goes with the next one, for a broker's cost is
    /// that of requests.
    static Producer<byte[], byte[]> producer(KafkaSettings settings, int maxRecordBytes) {
        var deadline = Math.toIntExact(settings.deadline().toMillis());
        return idempotent(
                settings,
                maxRecordBytes,
                Map.of(
                        ProducerConfig.LINGER_MS_CONFIG,
                        0,
                        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                        1,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        BATCH_BYTES,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        deadline,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        deadline / PARTS_OF_DEADLINE));
    }

    /// Idempotent too, for many entries at a time by somebody who is alone: it keeps their order and gives none up, so
    /// that what is there is always the first of them.
    static Producer<byte[], byte[]> filler(KafkaSettings settings, int maxRecordBytes) {
        return idempotent(
                settings,
                maxRecordBytes,
                Map.of(
                        ProducerConfig.LINGER_MS_CONFIG, FILLING_LINGER_MILLIS,
                        ProducerConfig.BATCH_SIZE_CONFIG, FILLED_BATCH_BYTES,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE));
    }

    /// @param pace how it sends, and how long it tries
    private static Producer<byte[], byte[]> idempotent(
            KafkaSettings settings, int maxRecordBytes, Map<String, Object> pace) {
        var all = settings.brokers().clients(pace);
        all.put(CommonClientConfigs.CLIENT_ID_CONFIG, CLIENT_ID);
        all.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MAX_MILLIS);
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                Math.toIntExact(settings.deadline().toMillis()));
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRecordBytes);
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Math.max(settings.queuedBytes(), maxRecordBytes) + maxRecordBytes);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /// Without a group, and without a place to begin where the one it asks for is not there.
    static Consumer<byte[], byte[]> consumer(KafkaSettings settings) {
        return new KafkaConsumer<>(
                settings.brokers()
                        .clients(Map.of(
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
                                FETCH_BYTES)),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /// @param patience after which a question has no answer
    static Admin admin(KafkaSettings settings, Duration patience) {
        var millis = Math.toIntExact(patience.toMillis());
        return Admin.create(settings.brokers()
                .clients(Map.of(
                        CommonClientConfigs.CLIENT_ID_CONFIG, CLIENT_ID,
                        CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MAX_MILLIS,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis,
                        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis)));
    }
}
