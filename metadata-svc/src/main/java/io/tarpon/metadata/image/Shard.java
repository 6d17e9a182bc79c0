package io.tarpon.metadata.image;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.PlannedShard;
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
        this.packed = PackedShard.pack(new ShardRecord(
                planned.name(),
                planned.samples(),
                planned.bytes(),
                planned.planSha256(),
                null,
                null,
                planned.planName()));
        this.revision = revision;
    }

    boolean isSealed() {
        return sealed;
    }

    @Nullable
    ShardRef home() {
        return home;
    }

    /// @param as what it is sealed as, and where that lies
    void seal(ShardRecord as, long entry) {
        packed = PackedShard.pack(as);
        sealed = true;
        home = as.home();
        revision = entry;
    }

    ShardRecord record(ShardName name) {
        return PackedShard.unpack(name, home, packed);
    }
}
