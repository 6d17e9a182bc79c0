package io.tarpon.gateway.epoch;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SplitLayout;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/// The blocks that one epoch body reads next: walks the body's samples ahead of those that were handed out
/// and names each block at its first use, the soonest first, and no block twice. It stops where so many named
/// blocks have not been reached, and goes on as they are. Every sample is walked once, whatever the number of
/// looks; when every block of the split was named there is nothing left to walk for.
///
/// Threads: one looks; the one that sends the body only moves `handedOut` on, which may be seen late and does
/// no harm.
final class BlocksAhead {
    /// How far it looks, at most: else a stream whose blocks were nearly all named would be walked to its end
    /// at once.
    static final int SAMPLES_AHEAD = 1 << 16;

    private static final int SAMPLES_A_LOOK = 4096;
    private static final int OWN_BYTES = 512;

    private final SplitLayout layout;
    private final Projection projection;
    private final Supplier<LongUnaryOperator> ordinals;
    private final AtomicLong handedOut;
    private final LongSupplier endOf;
    private final Deque<Segment.InShard> ranges = new ArrayDeque<>();

    /// The samples for which named blocks are needed that were not reached, ascending.
    private final Deque<Long> needed = new ArrayDeque<>();

    private final BitSet named = new BitSet();
    private LongUnaryOperator reader = sample -> sample;
    private long next;
    private long end = -1;
    private int unnamed;

    /// @param ordinals of the body's samples in the split, by a reader for one thread
    /// @param handedOut the first sample of the body that is still to be read; moved on by another thread
    /// @param endOf the sample behind the last one, computed when it is first looked for
    BlocksAhead(
            SplitLayout layout,
            Projection projection,
            Supplier<LongUnaryOperator> ordinals,
            AtomicLong handedOut,
            LongSupplier endOf) {
        this.layout = layout;
        this.projection = projection;
        this.ordinals = ordinals;
        this.handedOut = handedOut;
        this.endOf = endOf;
        this.next = handedOut.get();
        this.unnamed = layout.blocks();
    }

    /// Heap this comes to hold, with so many blocks named and not reached.
    long memoryBytes(int pending) {
        return OWN_BYTES + layout.blocks() / Byte.SIZE + 24L * pending;
    }

    /// Goes on a little and names what it finds: shard and number of the block in it.
    ///
    /// @param pending blocks named and not reached, at most
    /// @param most to be named now
    /// @return whether another look would go on at once
    boolean look(int pending, int most, BiConsumer<LaidOutShard, Integer> name) {
        if (end < 0) {
            end = endOf.getAsLong();
            reader = ordinals.get();
        }
        var reached = handedOut.get();
        while (!needed.isEmpty() && needed.getFirst() < reached) {
            needed.removeFirst();
        }
        var stop = Math.min(end, reached + SAMPLES_AHEAD);
        var room = Math.min(most, pending - needed.size());
        for (int looked = 0; next < stop && unnamed > 0; looked++) {
            if (looked == SAMPLES_A_LOOK) {
                return true;
            }
            room = lookAt(next, next >= reached, room, name);
            if (room < 0) {
                return needed.size() < pending;
            }
            next++;
        }
        return false;
    }

    /// Whether every block was named, or every sample walked.
    boolean isAtEnd() {
        return unnamed == 0 || next == end;
    }

    /// @param isAhead whether the sample is still to be read; the blocks of others are only noted
    /// @return how many may still be named, or -1 where there was no room for all of the sample's
    private int lookAt(long sample, boolean isAhead, int room, BiConsumer<LaidOutShard, Integer> name) {
        var ordinal = reader.applyAsLong(sample);
        var before = layout.blocksBefore(ordinal);
        projection.segments(layout.sample(ordinal), ranges);
        for (var range = ranges.poll(); range != null; range = ranges.poll()) {
            var shard = range.laidOut();
            var from = range.from();
            var last = shard.layout().blockAt(from + range.length() - 1);
            for (int block = shard.layout().blockAt(from); block <= last; block++) {
                if (named.get(before + block)) {
                    continue;
                }
                if (isAhead && room == 0) {
                    ranges.clear();
                    return -1;
                }
                named.set(before + block);
                unnamed--;
                if (isAhead) {
                    room--;
                    needed.addLast(sample);
                    name.accept(shard, block);
                }
            }
        }
        return room;
    }
}
