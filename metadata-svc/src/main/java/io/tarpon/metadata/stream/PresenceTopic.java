package io.tarpon.metadata.stream;

import io.tarpon.metadata.image.WindowDigest;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.node.Sign;
import io.tarpon.service.stream.Brokers;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Signs of life on a topic that all replicas read from its end: whoever is told tells all.
///
/// One thread reads, and says something itself every interval, so that hearing nothing can be told from there being
/// nothing to hear. Telling never waits: what cannot be sent at once is lost, and told again by whose sign it is.
/// While the broker is away nothing is heard, which [Hearer#echo()] says by not being called.
public final class PresenceTopic implements Presence {
    private static final Logger LOG = Logger.getLogger(PresenceTopic.class);
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /// Who is told what was heard, on the thread of the topic.
    public interface Hearer {
        /// A sign of a node or of a gateway, its own ones included.
        void hear(Sign sign);

        /// Somebody said what is not understood here.
        void notUnderstood();

        /// This replica has heard itself.
        void echo();

        /// Whether the last echo is not long ago.
        boolean isListening();
    }

    /// @param isMade whether the topic is made where there is none
    /// @param replicas on how many brokers a new topic lies
    /// @param replica a name that no other replica has
    /// @param level the newest format of entries that it reads
    /// @param windows what its last windows of entries came to
    /// @param interval between two signs of its own
    public record Settings(
            Brokers brokers,
            String topic,
            boolean isMade,
            int replicas,
            String replica,
            int level,
            Supplier<List<WindowDigest>> windows,
            Duration interval) {
        private Sign.Listening sign() {
            return new Sign.Listening(replica, level, windows.get());
        }
    }

    private final Settings settings;
    private final Hearer hearer;
    private final TopicPartition partition;
    private final Thread thread;
    private boolean away;
    private volatile @Nullable Producer<byte[], byte[]> producer;

    private PresenceTopic(Settings settings, Hearer hearer) {
        this.settings = settings;
        this.hearer = hearer;
        this.partition = new TopicPartition(settings.topic(), 0);
        this.thread = Thread.ofPlatform().daemon().name("metadata-presence").unstarted(this::run);
    }

    /// Returns at once, whether a broker is there or not.
    public static PresenceTopic open(Settings settings, Hearer hearer) {
        var topic = new PresenceTopic(settings, hearer);
        topic.thread.start();
        return topic;
    }

    @Override
    public void tell(Sign sign) {
        var open = producer;
        if (open != null && hearer.isListening()) {
            send(open, sign);
        }
    }

    @Override
    public boolean isListening() {
        return hearer.isListening();
    }

    private void send(Producer<byte[], byte[]> open, Sign sign) {
        try {
            var key = sign.of().getBytes(StandardCharsets.UTF_8);
            var _ = open.send(new ProducerRecord<>(partition.topic(), partition.partition(), key, Json.bytes(sign)));
        } catch (KafkaException | IllegalStateException e) {
            LOG.debugf("sign not told of=%s reason=%s", sign.of(), e);
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    if (settings.isMade()) {
                        make();
                    }
                    listen();
                } catch (InterruptException e) {
                    throw new InterruptedException();
                } catch (KafkaException e) {
                    away(e);
                    Thread.sleep(RETRY);
                } catch (RuntimeException | Error e) {
                    LOG.errorf(e, "presence broken topic=%s", settings.topic());
                    Thread.sleep(RETRY);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void make() throws InterruptedException {
        var topic = new NewTopic(settings.topic(), 1, (short) settings.replicas())
                .configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, Long.toString(KEPT.toMillis())));
        try (var admin = Clients.admin(settings.brokers())) {
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("topic " + settings.topic() + " cannot be made: " + e.getCause(), e);
            }
        }
    }

    private void listen() {
        try (var consumer = Clients.consumer(settings.brokers());
                var sending = Clients.teller(settings.brokers())) {
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            // The end as of now, before anything is said.
            var from = consumer.position(partition, RETRY);
            LOG.debugf("presence topic=%s from=%d", settings.topic(), from);
            producer = sending;
            while (true) {
                send(sending, settings.sign());
                hearFor(consumer, settings.interval());
            }
        } finally {
            producer = null;
        }
    }

    private void hearFor(Consumer<byte[], byte[]> consumer, Duration interval) {
        var until = System.nanoTime() + interval.toNanos();
        for (var left = interval; left.isPositive(); left = Duration.ofNanos(until - System.nanoTime())) {
            for (var message : consumer.poll(left)) {
                hear(message.value());
            }
        }
    }

    private void hear(byte @Nullable [] message) {
        try {
            switch (message == null ? null : Json.read(message, Sign.class)) {
                case Sign.Listening listening -> {
                    hearer.hear(listening);
                    if (listening.replica().equals(settings.replica())) {
                        away = false;
                        hearer.echo();
                    }
                }
                case null -> {}
                case Sign sign -> hearer.hear(sign);
            }
        } catch (IOException e) {
            // Nothing that is told here is the truth of anything.
            hearer.notUnderstood();
            LOG.debugf("sign not understood topic=%s reason=%s", settings.topic(), e.getMessage());
        }
    }

    private void away(Exception reason) {
        if (!away) {
            away = true;
            LOG.warnf("signs of life are not heard topic=%s reason=%s", settings.topic(), reason.getMessage());
        }
    }

    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
