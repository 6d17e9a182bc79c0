package io.tarpon.wire.metadata;

import io.tarpon.wire.ShardName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One shard as metadata-svc knows it. Before it is sealed, `seal` is null and samples and bytes are as planned.
public record ShardRecord(
        ShardName name,
        long samples,
        long bytes,
        String planSha256,
        @Nullable SealShard seal) {

    /// What was sealed. Throws where nothing was: ask only for shards of a sealed version.
    public SealShard sealed() {
        if (seal == null) {
            throw new IllegalStateException("shard " + name + " is not sealed");
        }
        return seal;
    }

    /// Ordinals of each block's first sample; empty until sealed.
    public List<Integer> blocks() {
        return seal == null ? List.of() : seal.blocks();
    }
}
