package io.tarpon.gateway.body;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockId;
import org.jspecify.annotations.Nullable;

/// One shard of a sealed version, as far as reading it needs.
///
/// @param home under whose keys tar and index lie in the object store: its own, or those of a version it was kept from
/// @param attempt that wrote them, as the keys have it; null in seals from before there were any
/// @param sha256 of the tar; `indexSha256` of its index
/// @param replicas copies of each of its blocks on block services
public record SealedShard(
        ShardRef ref,
        ShardRef home,
        @Nullable String attempt,
        long samples,
        long bytes,
        String sha256,
        String indexSha256,
        int indexBytes,
        int replicas) {
    public SealedShard {
        Digests.requireSha256("sha256", sha256);
        Digests.requireSha256("indexSha256", indexSha256);
        if (samples < 1 || bytes < 1 || indexBytes < 1 || replicas < 1) {
            throw new IllegalArgumentException("not a sealed shard: " + ref);
        }
    }

    /// Where its tar lies in the object store.
    public String tarKey() {
        return ObjectKeys.tar(home, attempt);
    }

    /// Where its index lies in the object store.
    public String indexKey() {
        return ObjectKeys.index(home, attempt);
    }

    public BlockId blockId(int block) {
        return BlockId.of(sha256, block);
    }
}
