package io.tarpon.gateway.flow;

import org.jspecify.annotations.Nullable;

/// The bytes of one piece of a block as they come from one source, in order, checked. On the event loop of its
/// response.
public interface BlockBytes {
    /// The next bytes, or null where none are ready: then `wake` runs once there is news, which may be a failure.
    @Nullable
    Chunk poll();

    /// Why no more bytes come, or null while [#poll] may still give some.
    @Nullable
    Throwable failure();

    /// Where the bytes come from, for the count of them.
    Origin origin();

    /// A look now and then, at `nanos` of the system's clock: one that waits for too long fails, and wakes.
    default void look(long nanos) {}

    /// Gives everything back. No `wake` afterwards. A second call does nothing.
    void close();

    /// The kinds of sources.
    enum Origin {
        LOCAL,
        REMOTE,
        STORE,
        LITERAL
    }
}
