package io.tarpon.block;

import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockId;

/// One block, and where it comes from if it is not here.
///
/// @param shard a sealed shard that has the block; its index says what the bytes must be
/// @param number of the block in that shard, 0-based
public record BlockRequest(BlockId id, ShardRef shard, int number, FillFrom from) {
    public BlockRequest {
        if (number < 0) {
            throw new IllegalArgumentException("block number " + number + " is negative");
        }
    }
}
