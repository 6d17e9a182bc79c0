package io.tarpon.service.stream;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// One look at one topic, which makes it where it is missing and that is allowed.
///
/// @param answer how long the brokers may take
record TopicLook(Admin admin, NeededTopics.Making making, Duration answer) {
    private static final Logger LOG = Logger.getLogger(TopicLook.class);

    /// What a topic was found to be.
    sealed interface Found {
        /// There, and fit for what is promised.
        record Well() implements Found {}

        /// What time may heal.
        record Waits(String why) implements Found {}

        /// There, and not fit: somebody must change it.
        record Refused(String why) implements Found {}
    }

    /// @param described the brokers' answer about it
    Found at(NeededTopic topic, KafkaFuture<TopicDescription> described) throws InterruptedException {
        try {
            return judge(topic, answer(described), configuration(topic));
        } catch (TimeoutException e) {
            return new Found.Waits("no answer after " + answer.toSeconds() + " s");
        } catch (ExecutionException e) {
            return switch (e.getCause()) {
                case UnknownTopicOrPartitionException _ -> make(topic);
                case AuthorizationException refusal -> new Found.Waits("it may not be seen: " + refusal.getMessage());
                case InvalidTopicException invalid -> new Found.Refused("that is no name: " + invalid.getMessage());
                case null, default -> new Found.Waits(String.valueOf(e.getCause()));
            };
        }
    }

    private Found make(NeededTopic topic) throws InterruptedException {
        if (!making.allowed()) {
            return new Found.Waits("it is not there, and not made here, because tarpon.topics.create is false");
        }
        int replicas = making.replicas();
        var made = new NewTopic(topic.name(), topic.partitions(), (short) replicas).configs(topic.made(replicas));
        try {
            answer(admin.createTopics(List.of(made)).all());
            LOG.infof("topic made topic=%s partitions=%d replicas=%d", topic.name(), topic.partitions(), replicas);
            return new Found.Well();
        } catch (TimeoutException e) {
            return new Found.Waits("it is being made");
        } catch (ExecutionException e) {
            return new Found.Waits(
                    e.getCause() instanceof TopicExistsException
                            ? "it is being made"
                            : "it is not there, and cannot be made: " + e.getCause());
        }
    }

    /// Empty where it may not be seen.
    private Optional<Config> configuration(NeededTopic topic)
            throws InterruptedException, ExecutionException, TimeoutException {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        try {
            return Optional.ofNullable(
                    answer(admin.describeConfigs(List.of(resource)).all()).get(resource));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Found judge(NeededTopic topic, TopicDescription description, Optional<Config> configuration) {
        if (configuration.isPresent()) {
            int replicas = description.partitions().getFirst().replicas().size();
            var wrong = topic.wrong(replicas, key -> value(configuration.get(), key));
            if (!wrong.isEmpty()) {
                return new Found.Refused(String.join("; ", wrong));
            }
        } else {
            LOG.warnf("topic is taken as it is, because its settings may not be seen topic=%s", topic.name());
        }
        int partitions = description.partitions().size();
        if (partitions != topic.partitions()) {
            LOG.infof(
                    "topic has other partitions than one that is made topic=%s partitions=%d made=%d",
                    topic.name(), partitions, topic.partitions());
        }
        return new Found.Well();
    }

    private static @Nullable String value(Config configuration, String key) {
        var entry = configuration.get(key);
        return entry == null ? null : entry.value();
    }

    private <T> T answer(KafkaFuture<T> asked) throws InterruptedException, ExecutionException, TimeoutException {
        return asked.get(answer.toMillis(), TimeUnit.MILLISECONDS);
    }
}
