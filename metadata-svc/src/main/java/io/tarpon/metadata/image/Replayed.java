package io.tarpon.metadata.image;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one entry came to in replay.
///
/// @param applied its guards held
/// @param events what it changed for others, in order
/// @param window what the window came to that ends with it; null where none does that was replayed whole
public record Replayed(
        long revision,
        boolean applied,
        List<CommittedEvent> events,
        @Nullable WindowDigest window) {
    public Replayed {
        events = List.copyOf(events);
    }
}
