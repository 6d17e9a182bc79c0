package io.tarpon.metadata.entry;

import java.io.IOException;
import java.util.Optional;

/// Remembers, beside what a replica holds of a log, which log that is: the id in its [Change.LogBegun].
public interface FollowedLog {
    /// Empty where none was followed yet, or one that has no id.
    Optional<String> id() throws IOException;

    /// Returns once a power cut does not take it back.
    void follow(String id) throws IOException;

    /// Of a replica that takes whatever log it is given.
    FollowedLog ANY = new FollowedLog() {
        @Override
        public Optional<String> id() {
            return Optional.empty();
        }

        @Override
        public void follow(String id) {
            // The next start knows nothing.
        }
    };
}
