package io.tarpon.wire.metadata;

/// A node says that it lives, and what it holds.
public record Heartbeat(long blocks, long bytes) {
    public Heartbeat {
        if (blocks < 0 || bytes < 0) {
            throw new IllegalArgumentException("a node holds no negative number of blocks or bytes");
        }
    }
}
