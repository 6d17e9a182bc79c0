package io.tarpon.gateway.flow;

import org.jspecify.annotations.Nullable;

/// A source that failed before it was asked.
public record NoBytes(Throwable failure) implements BlockBytes {
    @Override
    public @Nullable Chunk poll() {
        return null;
    }

    @Override
    public Origin origin() {
        return Origin.REMOTE;
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
