package io.tarpon.gateway.body;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardLayout;

/// A sealed shard, where everything in it is, and the names of its blocks: what reading many of its samples needs.
/// Immutable.
public final class LaidOutShard {
    private static final int BYTES_A_BLOCK = 96;

    private final SealedShard shard;
    private final ShardLayout layout;
    private final BlockId[] blockIds;

    /// @param layout of the shard
    public LaidOutShard(SealedShard shard, ShardLayout layout) {
        if (layout.shardBytes() != shard.bytes()) {
            throw new IllegalArgumentException("the layout is not that of " + shard.ref());
        }
        this.shard = shard;
        this.layout = layout;
        this.blockIds = new BlockId[layout.blockCount()];
        for (int block = 0; block < blockIds.length; block++) {
            blockIds[block] = shard.blockId(block);
        }
    }

    public SealedShard shard() {
        return shard;
    }

    public ShardLayout layout() {
        return layout;
    }

    public BlockId blockId(int block) {
        return blockIds[block];
    }

    /// Bytes this holds on the heap, to within a few percent.
    public long memoryBytes() {
        return 512 + layout.memoryBytes() + (long) BYTES_A_BLOCK * blockIds.length;
    }
}
