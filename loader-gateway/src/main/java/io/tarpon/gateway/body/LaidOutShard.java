package io.tarpon.gateway.body;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardLayout;
import java.util.HexFormat;

/// A sealed shard, where everything in it is, and the names of its blocks: what reading many of its samples needs.
/// Immutable.
public final class LaidOutShard {
    private static final int BYTES = 512;

    private final SealedShard shard;
    private final ShardLayout layout;

    /// High and low bits of each, one behind the other: as objects they would be twice as large.
    private final long[] blockIds;

    /// @param layout of the shard
    public LaidOutShard(SealedShard shard, ShardLayout layout) {
        this(shard, layout, new long[2 * layout.blockCount()]);
        var sha256 = HexFormat.of().parseHex(shard.sha256());
        for (int block = 0; block < layout.blockCount(); block++) {
            var id = BlockId.of(sha256, block);
            blockIds[2 * block] = id.high();
            blockIds[2 * block + 1] = id.low();
        }
    }

    private LaidOutShard(SealedShard shard, ShardLayout layout, long[] blockIds) {
        if (layout.shardBytes() != shard.bytes()) {
            throw new IllegalArgumentException("the layout is not that of " + shard.ref());
        }
        this.shard = shard;
        this.layout = layout;
        this.blockIds = blockIds;
    }

    /// The same with another copy of its layout.
    public LaidOutShard over(ShardLayout copy) {
        return new LaidOutShard(shard, copy, blockIds);
    }

    public SealedShard shard() {
        return shard;
    }

    public ShardLayout layout() {
        return layout;
    }

    public BlockId blockId(int block) {
        return new BlockId(blockIds[2 * block], blockIds[2 * block + 1]);
    }

    /// Bytes this holds on the heap, to within a few percent.
    public long memoryBytes() {
        return BYTES + layout.memoryBytes() + (long) Long.BYTES * blockIds.length;
    }
}
