package io.tarpon.k8s.scaler;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// KEDA's trigger `kafka`: what it makes of the offsets of one group on one topic. The arithmetic and the defaults are
/// those of `getLagForPartition`, `getTotalLag` and `GetMetricsAndActivity` in KEDA's `pkg/scalers/kafka_scaler.go`.
/// Settings that change it and are not known here are refused.
///
/// @param lagThreshold messages for one replica
/// @param activationLagThreshold messages that do not wake anybody yet
/// @param isFromEarliest whether a group that has committed nothing has everything before it (`offsetResetPolicy`)
/// @param isAtZeroWithoutCommit whether a partition without a commit counts for nothing (`scaleToZeroOnInvalidOffset`)
/// @param mayIdle whether there may be more replicas than partitions (`allowIdleConsumers`)
/// @param isLimitedToLag whether there may be more than partitions that have lag (`limitToPartitionsWithLag`)
public record LagTrigger(
        String group,
        String topic,
        long lagThreshold,
        long activationLagThreshold,
        boolean isFromEarliest,
        boolean isAtZeroWithoutCommit,
        boolean mayIdle,
        boolean isLimitedToLag) {
    private static final List<String> REFUSED =
            List.of("excludePersistentLag", "ensureEvenDistributionOfPartitions", "partitionLimitation");

    public LagTrigger {
        if (lagThreshold < 1 || activationLagThreshold < 0) {
            throw new IllegalArgumentException("lagThreshold " + lagThreshold + ", activationLagThreshold "
                    + activationLagThreshold + ": KEDA takes neither below 1 and 0");
        }
        if (mayIdle && isLimitedToLag) {
            throw new IllegalArgumentException("KEDA takes allowIdleConsumers or limitToPartitionsWithLag, not both");
        }
    }

    /// One partition at a moment.
    ///
    /// @param committed the next offset that the group reads; [#NO_COMMIT] where it has committed none
    /// @param end the next offset that a producer gets
    public record Partition(long committed, long end) {
        public static final long NO_COMMIT = -1;
    }

    /// @param metadata of the trigger, as the manifest has it
    public static LagTrigger of(Map<String, String> metadata) {
        var refused = new TreeSet<>(REFUSED);
        refused.removeIf(name -> metadata.getOrDefault(name, "false").equals("false"));
        if (!refused.isEmpty() || !metadata.containsKey("topic")) {
            throw new IllegalArgumentException(
                    refused.isEmpty() ? "a trigger without a topic" : refused + " is not modelled here");
        }
        return new LagTrigger(
                metadata.getOrDefault("consumerGroup", ""),
                metadata.getOrDefault("topic", ""),
                Long.parseLong(metadata.getOrDefault("lagThreshold", "10")),
                Long.parseLong(metadata.getOrDefault("activationLagThreshold", "0")),
                metadata.getOrDefault("offsetResetPolicy", "latest").equals("earliest"),
                Boolean.parseBoolean(metadata.get("scaleToZeroOnInvalidOffset")),
                Boolean.parseBoolean(metadata.get("allowIdleConsumers")),
                Boolean.parseBoolean(metadata.get("limitToPartitionsWithLag")));
    }

    /// Messages of a partition that count.
    public long lag(Partition partition) {
        if (partition.committed() != Partition.NO_COMMIT) {
            return partition.end() - partition.committed();
        }
        if (isAtZeroWithoutCommit) {
            return 0;
        }
        return isFromEarliest ? partition.end() : 1;
    }

    /// @param partitions all of the topic
    public Signal signal(List<Partition> partitions) {
        var lag = partitions.stream().mapToLong(this::lag).sum();
        var isActive = lag > activationLagThreshold;
        if (mayIdle) {
            return new Signal(lag, lagThreshold, isActive);
        }
        var most =
                isLimitedToLag ? partitions.stream().filter(it -> lag(it) > 0).count() : partitions.size();
        // A division of integers, as there: less than a replica's worth above the limit stays, and the HPA rounds it
        // up.
        return new Signal(lag / lagThreshold > most ? most * lagThreshold : lag, lagThreshold, isActive);
    }
}
