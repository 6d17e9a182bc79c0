package io.tarpon.k8s;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.storage.internals.log.LogConfig;

/// Every topic that is named anywhere is a KafkaTopic, and keeps what it is for. Where no KafkaTopic is
/// rendered, whoever runs the broker makes them.
final class Topics implements Check {
    private static final String FOR_EVER = "-1";
    private static final String BY_DEFAULT = "1048588";
    /// Of a producer that is told nothing else; the longest entry of the log has half of it.
    private static final int MOST_MESSAGE_BYTES = 1 << 20;

    private static final String LOG = "tarpon.metadata.kafka.topic";
    private static final String PRESENCE = "tarpon.metadata.kafka.presence-topic";
    private static final String EVENTS = "tarpon.metadata.events.topic";

    /// After which an event of a replica that stood still is not taken.
    private static final long FRESHNESS_MILLIS = 3_000;

    @Override
    public String name() {
        return "topics";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        if (manifests.of("KafkaTopic").isEmpty()) {
            return findings;
        }
        var names = new TreeSet<String>();
        for (var run : manifests.runs()) {
            names.addAll(run.program().channelTopics("incoming"));
            names.addAll(run.program().channelTopics("outgoing"));
            if (run.program().name().equals("metadata-svc")) {
                names.addAll(List.of(run.value(LOG), run.value(PRESENCE), run.value(EVENTS)));
                topic(manifests, run.value(LOG)).ifPresent(topic -> log(topic, findings));
                topic(manifests, run.value(PRESENCE)).ifPresent(topic -> partitions(topic, 1, findings));
                topic(manifests, run.value(EVENTS)).ifPresent(topic -> events(topic, findings));
            }
        }
        for (var source : manifests.of("KafkaSource")) {
            names.addAll(Item.texts(source.at("spec.topics")));
        }
        for (var name : names) {
            if (topic(manifests, name).isEmpty()) {
                findings.add("KafkaTopic/" + name + ": is not there, and services use it");
            }
        }
        for (var topic : manifests.of("KafkaTopic")) {
            if (!names.contains(nameOf(topic))) {
                findings.add(topic.title() + ": no service uses it");
            }
            settings(topic, findings);
            if (!manifests.isLocal()) {
                durable(topic, findings);
            }
        }
        return findings;
    }

    /// In Kafka.
    static String nameOf(Item topic) {
        return topic.at("spec.topicName").asText(topic.name());
    }

    static Optional<Item> topic(Manifests manifests, String name) {
        return manifests.of("KafkaTopic").stream()
                .filter(topic -> nameOf(topic).equals(name))
                .findFirst();
    }

    private static void partitions(Item topic, int wanted, List<String> findings) {
        if (topic.at("spec.partitions").asInt() != wanted) {
            findings.add(
                    topic.title() + ": has " + topic.at("spec.partitions") + " partitions, and must have " + wanted);
        }
    }

    /// As metadata-svc itself asks of it, else it does not start.
    private static void log(Item topic, List<String> findings) {
        partitions(topic, 1, findings);
        var config = Item.strings(topic.at("spec.config"));
        Map.of("retention.ms", FOR_EVER, "retention.bytes", FOR_EVER, "cleanup.policy", "delete")
                .forEach((key, wanted) -> {
                    if (!wanted.equals(config.get(key))) {
                        findings.add(topic.title() + ": " + key + " is " + config.get(key) + ", and must be " + wanted);
                    }
                });
        if (!config.getOrDefault("unclean.leader.election.enable", "false").equals("false")) {
            findings.add(topic.title() + ": unclean.leader.election.enable loses what was acknowledged");
        }
    }

    private static void events(Item topic, List<String> findings) {
        var oldest =
                topic.at("spec.config").path("message.timestamp.before.max.ms").asLong(Long.MAX_VALUE);
        if (oldest > FRESHNESS_MILLIS) {
            findings.add(topic.title() + ": message.timestamp.before.max.ms is to be " + FRESHNESS_MILLIS
                    + ", else an event may come twice");
        }
    }

    private static void durable(Item topic, List<String> findings) {
        var replicas = topic.at("spec.replicas").asInt(1);
        var inSync = topic.at("spec.config").path("min.insync.replicas").asInt(1);
        if (replicas < 3) {
            findings.add(topic.title() + ": lies on " + replicas + " brokers, and is to lie on 3");
        }
        if (inSync < 2) {
            findings.add(topic.title() + ": min.insync.replicas is " + inSync
                    + ": what was acknowledged may be on one broker");
        }
        if (inSync >= replicas) {
            findings.add(topic.title() + ": min.insync.replicas is " + inSync + " of " + replicas
                    + ": no broker may be away");
        }
    }

    private static void settings(Item topic, List<String> findings) {
        var config = Item.strings(topic.at("spec.config"));
        try {
            LogConfig.validate(config);
        } catch (InvalidConfigurationException | ConfigException e) {
            findings.add(topic.title() + ": no broker takes its settings: " + e.getMessage());
        }
        if (config.getOrDefault("cleanup.policy", "delete").contains("compact")) {
            findings.add(topic.title() + ": is compacted, which loses messages of one key");
        }
        if (Long.parseLong(config.getOrDefault("max.message.bytes", BY_DEFAULT)) < MOST_MESSAGE_BYTES) {
            findings.add(topic.title() + ": max.message.bytes is less than a message may have");
        }
        if (topic.labels().get("strimzi.io/cluster") == null) {
            findings.add(topic.title() + ": names no cluster by strimzi.io/cluster, so that no operator looks at it");
        }
    }
}
