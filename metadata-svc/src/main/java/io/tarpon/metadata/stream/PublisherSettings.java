package io.tarpon.metadata.stream;

import io.tarpon.service.stream.Brokers;
import java.time.Duration;

/// Where events go.
///
/// @param settle how long the ends of the topic must stay as they are before the first event is sent
/// @param retry pause after the broker could not be reached
public record PublisherSettings(Brokers brokers, String topic, Duration settle, Duration retry) {}
