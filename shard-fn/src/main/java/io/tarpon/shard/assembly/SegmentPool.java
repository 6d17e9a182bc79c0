package io.tarpon.shard.assembly;

import java.util.ArrayDeque;

/// Buffers that outlive shards, of all that are in work. Grows to what is in use at once, which the windows of their
/// read-aheads bound together, and stays there. Its lock is held for a moment.
final class SegmentPool {
    private final ArrayDeque<Segment> free = new ArrayDeque<>();
    private final int segmentBytes;

    SegmentPool(int segmentBytes) {
        this.segmentBytes = segmentBytes;
    }

    int segmentBytes() {
        return segmentBytes;
    }

    Segment take() {
        Segment segment;
        synchronized (free) {
            segment = free.poll();
        }
        return segment == null ? new Segment(segmentBytes) : segment;
    }

    /// How many of its segments nobody has.
    int freeCount() {
        synchronized (free) {
            return free.size();
        }
    }

    /// Takes back a segment that no reader fills any more.
    void give(Segment segment) {
        segment.bytes.clear();
        segment.large = null;
        synchronized (free) {
            free.add(segment);
        }
    }
}
