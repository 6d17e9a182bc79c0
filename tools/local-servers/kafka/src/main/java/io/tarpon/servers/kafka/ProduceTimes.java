package io.tarpon.servers.kafka;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.StartException;
import io.tarpon.servers.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// Prints how many nanoseconds each of many records took from its sending to its acknowledgement by all replicas, one
/// record after the other, one number a line: what the broker asks of whoever waits for it.
///
/// The topic gets one partition where it is not there, and keeps the records. As many again, at most
/// [#WARM_UP_RECORDS], are sent before the first that counts. None waits for others to go with it. Exit status 2 is a
/// wrong command line, 1 a record that was not acknowledged, each with one line on stderr.
public final class ProduceTimes {
    private static final List<String> ARGUMENTS = List.of("--broker", "--topic", "--records", "--bytes");
    private static final int WARM_UP_RECORDS = 20_000;
    private static final int PATIENCE_SECONDS = 20;

    private ProduceTimes() {}

    public static void main(String[] args) throws InterruptedException {
        int status = run(System.out, args);
        System.out.flush();
        System.exit(status);
    }

    private static int run(PrintStream out, String... args) throws InterruptedException {
        try {
            Arguments arguments = Arguments.parse(ARGUMENTS, args);
            String topic = arguments.required("--topic");
            String broker = arguments.required("--broker");
            long records = arguments.number("--records", 2_000, 1, 1_000_000);
            byte[] value = new byte[(int) arguments.number("--bytes", 512, 1, 1 << 19)];
            Topics.create(broker, TopicSpec.parse(List.of(topic + ":1")));
            produce(out, broker, topic, value, records);
            return 0;
        } catch (UsageException e) {
            System.err.println("produce-times: " + e.getMessage());
            return 2;
        } catch (KafkaException | StartException | ExecutionException | TimeoutException e) {
            System.err.println(
                    "produce-times: " + String.valueOf(e.getMessage()).replace('\n', ' '));
            return 1;
        }
    }

    private static void produce(PrintStream out, String broker, String topic, byte[] value, long records)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<String, Object> config = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                broker,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                "0");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long warm = 0; warm < Math.min(records, WARM_UP_RECORDS); warm++) {
                nanos(producer, topic, value);
            }
            for (long record = 0; record < records; record++) {
                out.println(nanos(producer, topic, value));
            }
        }
    }

    private static long nanos(KafkaProducer<byte[], byte[]> producer, String topic, byte[] value)
            throws ExecutionException, InterruptedException, TimeoutException {
        long begun = System.nanoTime();
        producer.send(new ProducerRecord<>(topic, value)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return System.nanoTime() - begun;
    }
}
