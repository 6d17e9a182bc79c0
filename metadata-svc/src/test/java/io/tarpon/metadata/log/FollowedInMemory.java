package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.FollowedTopic;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Remembers for as long as the test lives.
public final class FollowedInMemory implements FollowedTopic, FollowedLog {
    private volatile @Nullable String id;

    @Override
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    @Override
    public void follow(String followed) {
        id = followed;
    }
}
