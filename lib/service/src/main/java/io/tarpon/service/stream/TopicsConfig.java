package io.tarpon.service.stream;

import io.smallrye.config.WithDefault;

/// The group `tarpon.topics` of a service that uses topics.
public interface TopicsConfig {
    /// Whether topics that are missing are made. False where somebody else makes them, such as an operator: then they
    /// are waited for.
    @WithDefault("true")
    boolean create();

    /// Brokers that a topic made here lies on, 1 to 100; from 3 on, a message must be on two to be acknowledged.
    @WithDefault("1")
    int replicas();

    /// As [NeededTopics] takes them.
    default NeededTopics.Making making() {
        return new NeededTopics.Making(create(), replicas());
    }
}
