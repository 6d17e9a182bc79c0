package io.tarpon.shard.assembly;

import java.util.ArrayDeque;

/// Buffers that outlive shards. Grows to what is in use at once, which the read-ahead's window bounds, and stays there.
/// Owned by the writer's thread.
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
        var segment = free.poll();
        return segment == null ? new Segment(segmentBytes) : segment;
    }

    /// Takes back a segment that no reader fills any more.
    void give(Segment segment) {
        segment.bytes.clear();
        segment.large = null;
        free.add(segment);
    }
}
