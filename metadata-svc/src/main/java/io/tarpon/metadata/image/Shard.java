package io.tarpon.metadata.image;

import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import org.jspecify.annotations.Nullable;

/// One shard of a split, as planned and, later, as sealed.
final class Shard {
    final PlannedShard planned;

    @Nullable
    SealShard seal;
    /// Of the entry that planned or sealed it.
    long revision;

    Shard(PlannedShard planned, long revision) {
        this.planned = planned;
        this.revision = revision;
    }

    ShardRecord record() {
        return new ShardRecord(planned.name(), planned.samples(), planned.bytes(), planned.planSha256(), seal);
    }
}
