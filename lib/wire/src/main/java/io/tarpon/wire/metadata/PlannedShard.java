package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import org.jspecify.annotations.Nullable;

/// One shard as planned. `bytes` is the length its tar will have.
///
/// @param kept in a version that grows: the shard of the parent's same split that this one is, byte for byte, so that
/// nothing is built; null for a shard that is to be built. `planSha256` is then that of the parent's plan
/// @param planName of the plan in its key ([ObjectKeys]); null where it is kept, for the parent's record has it, and in
/// plans from before there were any
public record PlannedShard(
        ShardName name,
        long samples,
        long bytes,
        String planSha256,
        @JsonSetter(nulls = Nulls.SET) @Nullable ShardName kept,
        @JsonSetter(nulls = Nulls.SET) @Nullable String planName) {
    public PlannedShard {
        Digests.requireSha256("planSha256", planSha256);
        ObjectKeys.requireName("planName", planName);
        if (samples < 1 || bytes < 1) {
            throw new IllegalArgumentException("shard " + name + " is planned without samples or bytes");
        }
    }

    /// A shard that is to be built from a plan without a name.
    public PlannedShard(ShardName name, long samples, long bytes, String planSha256) {
        this(name, samples, bytes, planSha256, null, null);
    }

    /// A shard that is kept.
    public PlannedShard(ShardName name, long samples, long bytes, String planSha256, @Nullable ShardName kept) {
        this(name, samples, bytes, planSha256, kept, null);
    }
}
