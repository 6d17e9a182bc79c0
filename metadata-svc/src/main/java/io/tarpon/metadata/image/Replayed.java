package io.tarpon.metadata.image;

import java.util.List;

/// What one entry came to in replay.
///
/// @param applied its guards held
/// @param events what it changed for others, in order
public record Replayed(long revision, boolean applied, List<CommittedEvent> events) {
    public Replayed {
        events = List.copyOf(events);
    }
}
