package io.tarpon.gateway.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps back bytes that must not be the last ones sent. Stock tar readers take a break in or beside a header, or at a
/// member's end, for the end of the archive; so the last bytes sent lie inside a member's data whenever the body may
/// break. A chunk leaves whole when the next one with such a place is at hand; only where nothing more is at hand
/// ([#settle]) is it cut at its own. What is kept is bounded: a run of empty members leaves without a safe place rather
/// than fill the memory. Owned by one thread.
public final class HoldBack {
    /// Most bytes that are kept back.
    public static final long MAX_BYTES = 1 << 20;

    private final Consumer<Chunk> out;
    private final Deque<Chunk> held = new ArrayDeque<>();
    private long heldBytes;

    /// How many bytes of the first chunk may be the last ones sent; null where none may, or they left already.
    private @Nullable LongSupplier safeBytes;

    /// @param out takes the chunks that leave, in order
    public HoldBack(Consumer<Chunk> out) {
        this.out = out;
    }

    /// Takes the next chunk of the body, some bytes of which may be the last ones sent: how many is asked for only when
    /// they are, since most chunks leave whole.
    ///
    /// @param safe from 1 to all of them
    public void add(Chunk chunk, LongSupplier safe) {
        drain();
        safeBytes = safe;
        hold(chunk);
    }

    /// Takes the next chunk of the body.
    ///
    /// @param safe how many of its bytes may be the last ones sent; 0 where no byte of it may
    public void add(Chunk chunk, long safe) {
        if (safe > 0) {
            drain();
            safeBytes = () -> safe;
        }
        hold(chunk);
    }

    private void hold(Chunk chunk) {
        held.add(chunk);
        heldBytes += chunk.length();
        if (heldBytes > MAX_BYTES) {
            settle();
        }
        if (heldBytes > MAX_BYTES) {
            drain();
        }
    }

    /// Lets go what may be the last that is sent: nothing more is at hand for now, or ever.
    public void settle() {
        var first = held.peek();
        if (first == null || safeBytes == null) {
            return;
        }
        var safe = safeBytes.getAsLong();
        safeBytes = null;
        heldBytes -= safe;
        if (safe < first.length()) {
            out.accept(first.split(safe));
        } else {
            held.remove();
            out.accept(first);
        }
    }

    /// Bytes that are kept back.
    public long bytes() {
        return heldBytes;
    }

    /// Lets everything go: the end of the body is at hand.
    public void drain() {
        heldBytes = 0;
        safeBytes = null;
        for (var chunk = held.poll(); chunk != null; chunk = held.poll()) {
            out.accept(chunk);
        }
    }

    /// Releases what is kept: it will not be sent.
    public void release() {
        heldBytes = 0;
        safeBytes = null;
        held.forEach(Chunk::release);
        held.clear();
    }
}
