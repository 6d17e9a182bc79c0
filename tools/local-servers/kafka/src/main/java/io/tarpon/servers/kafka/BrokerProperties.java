package io.tarpon.servers.kafka;

import java.util.HashMap;
import java.util.Map;

/// Kafka's own configuration for one node that is broker and controller, fit for a 256 MiB heap.
final class BrokerProperties {
    static final int NODE_ID = 1;
    static final String CONTROLLER = "CONTROLLER";
    /// Nobody but this process talks to the controller.
    static final String CONTROLLER_HOST = "127.0.0.1";

    private static final String PLAIN = "PLAINTEXT";
    private static final String SASL = "SASL_PLAINTEXT";

    private static final String SMALL_SEGMENT = Integer.toString(8 << 20);

    private BrokerProperties() {}

    static Map<String, String> of(BrokerSettings settings) {
        Map<String, String> properties = new HashMap<>();
        properties.putAll(node(settings));
        properties.putAll(log(settings));
        properties.putAll(ownTopics());
        properties.putAll(memory());
        if (settings.saslPort() != 0) {
            logins(settings, properties);
        }
        return properties;
    }

    private static Map<String, String> node(BrokerSettings settings) {
        String controller = CONTROLLER_HOST + ":" + settings.controllerPort();
        return Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                Integer.toString(NODE_ID),
                "controller.quorum.voters",
                NODE_ID + "@" + controller,
                "controller.listener.names",
                CONTROLLER,
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT",
                "listeners",
                listener(PLAIN, settings.bind(), settings.port()) + "," + CONTROLLER + "://" + controller,
                "advertised.listeners",
                listener(PLAIN, settings.advertise(), settings.port()),
                "log.dirs",
                settings.dataDir().toString());
    }

    /// Users are made by an admin client of the other listener, and changed by it: the broker keeps them.
    private static void logins(BrokerSettings settings, Map<String, String> properties) {
        properties.merge("listener.security.protocol.map", SASL + ":" + SASL, BrokerProperties::joined);
        properties.merge("listeners", listener(SASL, settings.bind(), settings.saslPort()), BrokerProperties::joined);
        properties.merge(
                "advertised.listeners",
                listener(SASL, settings.advertise(), settings.saslPort()),
                BrokerProperties::joined);
        properties.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
        properties.put(
                "listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    }

    private static String joined(String one, String another) {
        return one + "," + another;
    }

    private static Map<String, String> log(BrokerSettings settings) {
        return Map.of(
                "auto.create.topics.enable",
                "false",
                "log.retention.bytes",
                Long.toString(settings.retentionBytes()),
                "log.retention.hours",
                Long.toString(settings.retentionHours()),
                "log.segment.bytes",
                Integer.toString(settings.segmentBytes()),
                "log.retention.check.interval.ms",
                "30000",
                "metadata.log.segment.bytes",
                SMALL_SEGMENT,
                "metadata.max.retention.bytes",
                Integer.toString(32 << 20),
                // A broker that was killed serves again once its own controller misses it: with the default after 9 s.
                "broker.session.timeout.ms",
                "4000",
                "broker.heartbeat.interval.ms",
                "1000",
                // The default of 500 ms writes twice a second for ever, on a laptop that does nothing.
                "metadata.max.idle.interval.ms",
                "5000");
    }

    private static Map<String, String> ownTopics() {
        return Map.of(
                "group.initial.rebalance.delay.ms", "0",
                "offsets.topic.num.partitions", "4",
                "offsets.topic.replication.factor", "1",
                "offsets.topic.segment.bytes", SMALL_SEGMENT,
                "transaction.state.log.num.partitions", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "share.coordinator.state.topic.num.partitions", "1",
                "share.coordinator.state.topic.replication.factor", "1",
                "share.coordinator.state.topic.min.isr", "1");
    }

    private static Map<String, String> memory() {
        return Map.of(
                "num.network.threads", "2",
                "num.io.threads", "4",
                "num.replica.fetchers", "1",
                "background.threads", "2",
                "num.recovery.threads.per.data.dir", "2",
                "queued.max.requests", "64",
                // The defaults are 128 MiB of cleaner heap and 10 MiB of index for each segment.
                "log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20),
                "log.index.size.max.bytes", Integer.toString(1 << 20));
    }

    private static String listener(String name, String host, int port) {
        return name + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
