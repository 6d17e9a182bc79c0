package io.tarpon.block;

import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockFileHeader;

/// What a block must be and where its bytes lie, known from its shard's index before the first byte comes.
///
/// @param shard as it was asked for, by which other nodes are asked, too
/// @param tarKey where in the object store the bytes lie
/// @param number of the block in the shard, 0-based
/// @param shardOffset its first byte in the shard
record BlockPlan(BlockFileHeader header, ShardRef shard, String tarKey, int number, long shardOffset) {
    int length() {
        return header.length();
    }
}
