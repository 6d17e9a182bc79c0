package io.tarpon.gateway.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/// Keeps back bytes that must not be the last ones sent. Stock tar readers take a break in or beside a header, or at a
/// member's end, for the end of the archive; so bytes leave only up to a place inside a member's data, and the rest
/// when
/// a later such place, or the end of the body, is at hand. What is kept is bounded: a run of empty members leaves
/// without
/// a safe place rather than fill the memory. Owned by one thread.
public final class HoldBack {
    /// Most bytes that are kept back.
    public static final long MAX_BYTES = 1 << 20;

    private final Consumer<Chunk> out;
    private final Deque<Chunk> held = new ArrayDeque<>();
    private long heldBytes;

    /// @param out takes the chunks that leave, in order
    public HoldBack(Consumer<Chunk> out) {
        this.out = out;
    }

    /// Takes the next chunk of the body.
    ///
    /// @param safe how many of its bytes may be the last ones sent; 0 where no byte of it may
    public void add(Chunk chunk, long safe) {
        if (safe > 0) {
            drain();
            if (safe < chunk.length()) {
                out.accept(chunk.split(safe));
            } else {
                out.accept(chunk);
                return;
            }
        }
        held.add(chunk);
        heldBytes += chunk.length();
        if (heldBytes > MAX_BYTES) {
            drain();
        }
    }

    /// Lets everything go: the end of the body is at hand.
    public void drain() {
        heldBytes = 0;
        for (var chunk = held.poll(); chunk != null; chunk = held.poll()) {
            out.accept(chunk);
        }
    }

    /// Releases what is kept: it will not be sent.
    public void release() {
        heldBytes = 0;
        held.forEach(Chunk::release);
        held.clear();
    }
}
