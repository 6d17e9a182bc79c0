package io.tarpon.metadata.log;

import io.tarpon.service.stream.Brokers;
import java.time.Duration;

/// Where a [KafkaLog] lies, and what it may take.
///
/// @param topic with one partition
/// @param isMade whether the topic is made where there is none
/// @param replicas on how many brokers a new topic lies; from 3 on, an entry is durable on two
/// @param queuedBytes bytes of entries that may be on their way
/// @param deadline how long an append may take; then it is not known what became of it
public record KafkaSettings(
        Brokers brokers, String topic, boolean isMade, int replicas, long queuedBytes, Duration deadline) {
    public KafkaSettings {
        if (topic.isEmpty() || replicas < 1 || queuedBytes < 1 || deadline.toMillis() < 1) {
            throw new IllegalArgumentException("no log can lie in topic '" + topic + "' on " + replicas
                    + " brokers, with " + queuedBytes + " bytes on their way and " + deadline + " for an append");
        }
    }

    /// How many of the brokers that a topic lies on must have an entry before it is acknowledged.
    static int leastInSync(int replicas) {
        return replicas < 3 ? 1 : 2;
    }
}
