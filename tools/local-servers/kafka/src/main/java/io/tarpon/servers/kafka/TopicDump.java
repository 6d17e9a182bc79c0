package io.tarpon.servers.kafka;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.UsageException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/// Prints what a topic holds at this moment, one JSON line a record:
/// `{"partition":0,"offset":17,"timestamp":1700000000000,"key":"…","value":"…"}`, key and value in Base64 or null.
///
/// It joins no group, so it takes nothing from anybody. Exit status 2 is a wrong command line, 1 a topic that cannot be
/// read whole, each with one line on stderr.
public final class TopicDump {
    private static final List<String> ARGUMENTS = List.of("--broker", "--topic", "--patience-seconds");
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int API_TIMEOUT_MILLIS = 20_000;

    private TopicDump() {}

    public static void main(String[] args) {
        int status = run(System.out, args);
        System.out.flush();
        System.exit(status);
    }

    private static int run(PrintStream out, String... args) {
        try {
            Arguments arguments = Arguments.parse(ARGUMENTS, args);
            dump(
                    out,
                    arguments.required("--broker"),
                    arguments.required("--topic"),
                    Duration.ofSeconds(arguments.number("--patience-seconds", 60, 1, 3600)));
            return 0;
        } catch (UsageException e) {
            System.err.println("topic-dump: " + e.getMessage());
            return 2;
        } catch (KafkaException | IllegalStateException e) {
            System.err.println("topic-dump: " + String.valueOf(e.getMessage()).replace('\n', ' '));
            return 1;
        }
    }

    private static void dump(PrintStream out, String broker, String topic, Duration patience) {
        Map<String, Object> config = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                API_TIMEOUT_MILLIS);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic)
                    .forEach(partition -> partitions.add(new TopicPartition(topic, partition.partition())));
            if (partitions.isEmpty()) {
                throw new IllegalStateException("the broker has no topic " + topic);
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            read(out, consumer, consumer.endOffsets(partitions), patience);
        }
    }

    private static void read(
            PrintStream out,
            KafkaConsumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> ends,
            Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "the topic was not read to its end within " + patience.toSeconds() + " s");
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                out.println("{\"partition\":" + record.partition() + ",\"offset\":" + record.offset()
                        + ",\"timestamp\":" + record.timestamp() + ",\"key\":" + text(record.key()) + ",\"value\":"
                        + text(record.value()) + "}");
            }
        }
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null
                ? "null"
                : "\"" + new String(Base64.getEncoder().encode(bytes), StandardCharsets.US_ASCII) + "\"";
    }
}
