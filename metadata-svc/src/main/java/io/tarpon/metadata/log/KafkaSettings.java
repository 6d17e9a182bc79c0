package io.tarpon.metadata.log;

import java.time.Duration;

/// Where a [KafkaLog] lies, and what it may take.
///
/// @param brokers Kafka's `bootstrap.servers`
/// @param topic with one partition, made where there is none
/// @param replicas on how many brokers a new topic lies; from 3 on, an entry is durable on two
/// @param queuedBytes bytes of entries that may be on their way
/// @param deadline how long an append may take; then it is not known what became of it
public record KafkaSettings(String brokers, String topic, int replicas, long queuedBytes, Duration deadline) {
    /// How many brokers must have an entry before it is acknowledged.
    int leastInSync() {
        return replicas < 3 ? 1 : 2;
    }
}
