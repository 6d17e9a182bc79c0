package io.tarpon.service.stream;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.service.retry.Patience;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jboss.logging.Logger;

/// Looks, beside the start of a service, whether its topics are there and fit for what it promises, and makes those
/// that are missing where it may. A service starts and is ready without waiting for the first look. One thread looks,
/// and ends once all are well; until then it looks again by the service's [Patience], without a limit of time:
///
/// - **the brokers do not answer, or not all**, or the topic is being made: that is waited for and said.
/// - **a topic is not there** and may not be made here, by configuration or by the brokers' leave: it is waited for and
///   said; somebody makes it.
/// - **a topic breaks a promise**: said as an error, once for each reason, and by [#refused]; it is looked at
///   again, for somebody may put it right. What it holds is read meanwhile: to leave it there would lose more.
/// - **its settings may not be seen**: said once, and the topic is taken as it is.
/// - **another number of partitions** than wanted breaks nothing, and is said once.
///
/// Several processes may do this at a time: a topic that another one made is there. A crash leaves nothing half made,
/// for a topic comes with its settings.
public final class NeededTopics implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(NeededTopics.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int MOST_REPLICAS = 100;

    private final Map<String, Object> clients;
    private final Making making;
    private final Patience patience;
    private final Thread thread;
    /// Owned by the thread: those that are not known to be well.
    private final Map<String, NeededTopic> open = new LinkedHashMap<>();

    private final Map<String, String> said = new LinkedHashMap<>();
    private volatile String refused = "";
    private volatile boolean closed;

    /// Whether and how topics are made.
    ///
    /// @param allowed `tarpon.topics.create`
    /// @param replicas brokers that a topic made here lies on, `tarpon.topics.replicas`, 1 to 100
    public record Making(boolean allowed, int replicas) {
        public Making {
            if (replicas < 1 || replicas > MOST_REPLICAS) {
                throw new IllegalArgumentException(
                        "tarpon.topics.replicas=" + replicas + " is not between 1 and " + MOST_REPLICAS);
            }
        }
    }

    private NeededTopics(Map<String, Object> clients, Making making, Patience patience, List<NeededTopic> topics) {
        this.clients = Map.copyOf(clients);
        this.making = making;
        this.patience = patience.until(() -> closed);
        topics.forEach(topic -> open.put(topic.name(), topic));
        this.thread = Thread.ofPlatform().daemon().name("tarpon-topics").unstarted(this::run);
    }

    /// Returns at once.
    ///
    /// @param clients by which every client of this process reaches the brokers
    /// @param patience for which every [IOException] may pass
    public static NeededTopics look(
            Map<String, Object> clients, Making making, Patience patience, List<NeededTopic> topics) {
        var needed = new NeededTopics(clients, making, patience, topics);
        needed.thread.start();
        return needed;
    }

    /// Which topics break a promise, and how, as far as it is known now.
    public Optional<String> refused() {
        var reason = refused;
        return reason.isEmpty() ? Optional.empty() : Optional.of(reason);
    }

    private void run() {
        var names = String.join(", ", open.keySet());
        try {
            patience.keepTrying("find the topics " + names, this::look);
            LOG.debugf("topics found topics=%s", names);
        } catch (AbandonedException e) {
            LOG.debugf("topics not looked for any more topics=%s", names);
        } catch (IOException | RuntimeException | Error e) {
            LOG.errorf(e, "topics not looked at any more topics=%s", open.keySet());
        }
    }

    /// Every topic once, so that one that is missing hides nothing of the others.
    ///
    /// @throws IOException why one or more are not well
    private boolean look() throws IOException {
        try (var admin = admin()) {
            var look = new TopicLook(admin, making, ANSWER);
            var described = admin.describeTopics(open.keySet()).topicNameValues();
            var troubles = new ArrayList<String>();
            var refusals = new ArrayList<String>();
            for (var topic : List.copyOf(open.values())) {
                switch (look.at(
                        topic,
                        Objects.requireNonNull(described.get(topic.name()), "an answer has what was asked for"))) {
                    case TopicLook.Found.Well() -> open.remove(topic.name());
                    case TopicLook.Found.Waits(var why) -> troubles.add("topic " + topic.name() + ": " + why);
                    case TopicLook.Found.Refused(var why) -> refusals.add(refused(topic, why));
                }
            }
            refused = String.join("; ", refusals);
            troubles.addAll(refusals);
            if (!troubles.isEmpty()) {
                throw new IOException(String.join("; ", troubles));
            }
            return true;
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while topics were looked at").initCause(e);
        } catch (KafkaException e) {
            // Such as: nobody knows the name of a broker yet.
            throw new IOException("the brokers do not answer: " + e, e);
        }
    }

    private String refused(NeededTopic topic, String why) {
        if (!why.equals(said.put(topic.name(), why))) {
            LOG.errorf("topic cannot be used topic=%s reason=%s", topic.name(), why);
        }
        return "topic " + topic.name() + " cannot be used: " + why;
    }

    private Admin admin() {
        var millis = Math.toIntExact(ANSWER.toMillis());
        var settings = new HashMap<>(clients);
        settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "tarpon-topics");
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        return Admin.create(settings);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
