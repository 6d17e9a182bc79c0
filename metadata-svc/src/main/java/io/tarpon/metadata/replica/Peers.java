package io.tarpon.metadata.replica;

import io.tarpon.metadata.image.WindowDigest;
import java.util.Optional;

/// The other replicas of one log, as the replaying thread compares itself with them.
public interface Peers {
    /// This replica has replayed a window of entries.
    void replayed(WindowDigest window);

    /// Why it must not answer any more; empty while it agrees with the others, or does not know.
    Optional<String> divergence();

    /// Of the only replica there is.
    Peers NONE = new Peers() {
        @Override
        public void replayed(WindowDigest window) {
            // There is nobody to tell.
        }

        @Override
        public Optional<String> divergence() {
            return Optional.empty();
        }
    };
}
