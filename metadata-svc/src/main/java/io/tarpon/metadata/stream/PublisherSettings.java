package io.tarpon.metadata.stream;

import java.time.Duration;

/// Where events go.
///
/// @param brokers Kafka's `bootstrap.servers`
/// @param settle how long the ends of the topic must stay as they are before the first event is sent
/// @param retry pause after the broker could not be reached
public record PublisherSettings(String brokers, String topic, Duration settle, Duration retry) {}
