package io.tarpon.gateway.flow;

import io.tarpon.gateway.body.Segment;
import org.jspecify.annotations.Nullable;

/// A literal as bytes that are ready at once.
final class LiteralBytes implements BlockBytes {
    private Segment.@Nullable Literal literal;

    LiteralBytes(Segment.Literal literal) {
        this.literal = literal;
    }

    @Override
    public @Nullable Chunk poll() {
        var ready = literal;
        literal = null;
        return ready == null ? null : BufferChunk.of(ready);
    }

    @Override
    public @Nullable Throwable failure() {
        return null;
    }

    @Override
    public Origin origin() {
        return Origin.LITERAL;
    }

    @Override
    public void close() {
        literal = null;
    }
}
