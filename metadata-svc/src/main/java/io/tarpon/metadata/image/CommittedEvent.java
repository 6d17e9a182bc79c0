package io.tarpon.metadata.image;

import io.tarpon.wire.event.TarponEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One change as others are told of it. Revision and number make its id, for good: replaying the same log
/// derives the same events under the same ids.
///
/// @param number counts the events of one revision from 0
/// @param traceparent of the request that made the change; null where it carried none
public record CommittedEvent(
        long revision, int number, Instant at, @Nullable String traceparent, TarponEvent event) {

    /// `<revision>-<n>`.
    public String id() {
        return revision + "-" + number;
    }
}
