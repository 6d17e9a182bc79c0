package io.tarpon.metadata.image;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import org.jspecify.annotations.Nullable;

/// One shard of a split, as planned and, later, as sealed. An image has many of these and little else, so the
/// record is held as [PackedShard] bytes, a fifth of its size.
final class Shard {
    private byte[] packed;
    private boolean sealed;
    /// Under whose keys it lies; null where it is its own.
    private @Nullable ShardRef home;
    /// Of the entry that planned or sealed it.
    long revision;

    Shard(PlannedShard planned, long revision) {
        this.packed = PackedShard.pack(
                new ShardRecord(planned.name(), planned.samples(), planned.bytes(), planned.planSha256(), null));
        this.revision = revision;
    }

    boolean isSealed() {
        return sealed;
    }

    @Nullable
    ShardRef home() {
        return home;
    }

    void seal(ShardName name, SealShard seal, @Nullable ShardRef from, long entry) {
        var planned = record(name);
        packed =
                PackedShard.pack(new ShardRecord(name, planned.samples(), planned.bytes(), planned.planSha256(), seal));
        sealed = true;
        home = from;
        revision = entry;
    }

    ShardRecord record(ShardName name) {
        return PackedShard.unpack(name, home, packed);
    }
}
