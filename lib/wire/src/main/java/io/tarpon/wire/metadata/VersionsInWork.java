package io.tarpon.wire.metadata;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some versions in one state of work, by dataset and number; `next` goes into the next request's `after`, null at
/// the end.
///
/// @param at when this was answered, by the clock that `progressAt` is of: how long a version stands still is told
/// without the asker's clock
public record VersionsInWork(
        Instant at,
        List<VersionProgress> versions,
        @Nullable String next) {
    public VersionsInWork {
        versions = List.copyOf(versions);
    }
}
