package io.tarpon.metadata.entry;

import java.io.IOException;
import java.util.Optional;

/// Remembers, on the disk of a replica, which topic it replays: a name that Kafka gives to a topic for good, and
/// gives another one to a topic that is made again under the same name.
public interface FollowedTopic {
    /// Empty where none was followed yet.
    Optional<String> id() throws IOException;

    /// Returns once a power cut does not take it back.
    void follow(String id) throws IOException;
}
