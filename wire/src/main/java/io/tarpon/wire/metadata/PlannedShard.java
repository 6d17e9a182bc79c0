package io.tarpon.wire.metadata;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;

/// One shard as planned. `bytes` is the length its tar will have.
public record PlannedShard(ShardName name, long samples, long bytes, String planSha256) {
    public PlannedShard {
        Digests.requireSha256("planSha256", planSha256);
        if (samples < 1 || bytes < 1) {
            throw new IllegalArgumentException("shard " + name + " is planned without samples or bytes");
        }
    }
}
