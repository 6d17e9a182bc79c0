package io.tarpon.gateway.body;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockId;

/// One shard of a sealed version, as far as reading it needs.
///
/// @param home under whose keys tar and index lie in the object store: its own, or those of a version it was kept from
/// @param sha256 of the tar; `indexSha256` of its index
/// @param replicas copies of each of its blocks on block services
public record SealedShard(
        ShardRef ref,
        ShardRef home,
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

    public BlockId blockId(int block) {
        return BlockId.of(sha256, block);
    }
}
