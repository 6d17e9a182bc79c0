package io.tarpon.metadata.stream;

import io.tarpon.service.stream.Brokers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jboss.logging.Logger;

/// The bound that a broker sets to the age of a message that arrives: who stood still too long is not heard.
final class Freshness {
    private static final Logger LOG = Logger.getLogger(Freshness.class);
    private static final String CREATE_TIME = "CreateTime";

    private Freshness() {}

    /// Sets the bound, where the topic has a wider one. Throws [KafkaException] where that cannot be done now; who
    /// may not do it is told, and goes on without.
    static void require(Brokers brokers, String topic, Duration age) throws InterruptedException {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (var admin = Clients.admin(brokers)) {
            var configuration = Objects.requireNonNull(
                    admin.describeConfigs(List.of(resource)).all().get().get(resource),
                    "an answer has what was asked for");
            var bound = configuration.get(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG);
            if (bound == null) {
                throw new KafkaException("the brokers do not know " + TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG
                        + ": they must" + " be of Kafka 3.6 or later");
            }
            var oldest = Long.parseLong(bound.value());
            var stamped =
                    configuration.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
            if (oldest > age.toMillis() || !CREATE_TIME.equals(stamped)) {
                admin.incrementalAlterConfigs(Map.of(
                                resource,
                                List.of(
                                        set(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, CREATE_TIME),
                                        set(
                                                TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
                                                Long.toString(age.toMillis())))))
                        .all()
                        .get();
            }
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof AuthorizationException)) {
                throw new KafkaException("topic " + topic + " cannot be set up: " + e.getCause(), e.getCause());
            }
            LOG.warnf(
                    "topic %s takes messages of any age, and that may not be changed: an event may come twice where a"
                            + " replica stands still for long; set %s=%d and %s=%s",
                    topic,
                    TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
                    age.toMillis(),
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    CREATE_TIME);
        }
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }
}
