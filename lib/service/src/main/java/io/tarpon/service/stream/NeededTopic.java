package io.tarpon.service.stream;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/// A topic that a service reads or writes, and which settings of it would break what we promise: that what a broker
/// acknowledged is there until it was acted on.
///
/// @param partitions of one that is made; one that is there may have others
/// @param maxMessageBytes of one that is made
public record NeededTopic(String name, int partitions, int maxMessageBytes) {
    /// Of `tarpon.plans`, which one service makes and another reads.
    public static final int PLAN_PARTITIONS = 12;

    /// A week, as everything of ours but the metadata log and signs of life.
    private static final long KEPT_MILLIS = 7 * 24 * 3_600_000L;

    /// What waits for its turn while a source, the store or a service is away must still be there afterwards.
    private static final long LEAST_KEPT_MILLIS = 24 * 3_600_000L;

    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int LETTER_BYTES = 2 << 20;
    private static final int BATCH_OVERHEAD_BYTES = 4096;
    private static final String FOR_EVER = "-1";

    public NeededTopic {
        if (name.isEmpty() || partitions < 1 || maxMessageBytes < 1) {
            throw new IllegalArgumentException("no topic is '" + name + "' with " + partitions
                    + " partitions for messages of " + maxMessageBytes + " bytes");
        }
    }

    public static NeededTopic of(String name, int partitions) {
        return new NeededTopic(name, partitions, MESSAGE_BYTES + BATCH_OVERHEAD_BYTES);
    }

    /// With room for a message of the longest and the headers that say why it is there.
    public static NeededTopic letters(String name) {
        return new NeededTopic(name, 1, LETTER_BYTES + BATCH_OVERHEAD_BYTES);
    }

    /// How many of the brokers that a topic lies on must have a message before it is acknowledged.
    static int leastInSync(int replicas) {
        return replicas < 3 ? 1 : 2;
    }

    /// Settings of one that is made.
    Map<String, String> made(int replicas) {
        var settings = new HashMap<String, String>();
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        settings.put(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false");
        settings.put(TopicConfig.RETENTION_MS_CONFIG, Long.toString(KEPT_MILLIS));
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, Integer.toString(leastInSync(replicas)));
        settings.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes));
        return settings;
    }

    /// What breaks a promise, each with what it is and what it must be; empty where nothing does.
    ///
    /// @param replicas that it lies on
    /// @param setting its value by name; null for what the brokers do not know
    List<String> wrong(int replicas, Function<String, @Nullable String> setting) {
        var wrong = new ArrayList<String>();
        exact(setting, TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE, wrong);
        exact(setting, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "false", wrong);
        if (!FOR_EVER.equals(setting.apply(TopicConfig.RETENTION_MS_CONFIG))) {
            atLeast(setting, TopicConfig.RETENTION_MS_CONFIG, LEAST_KEPT_MILLIS, wrong);
        }
        atLeast(setting, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, leastInSync(replicas), wrong);
        return wrong;
    }

    private static void exact(
            Function<String, @Nullable String> setting, String key, String wanted, List<String> wrong) {
        var value = setting.apply(key);
        if (!wanted.equals(value)) {
            wrong.add(key + " is " + value + ", and must be " + wanted);
        }
    }

    private static void atLeast(
            Function<String, @Nullable String> setting, String key, long least, List<String> wrong) {
        var value = setting.apply(key);
        if (value == null || Long.parseLong(value) < least) {
            wrong.add(key + " is " + value + ", and must be at least " + least);
        }
    }
}
