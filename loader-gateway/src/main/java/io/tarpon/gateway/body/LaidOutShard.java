package io.tarpon.gateway.body;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.index.ShardLayout;
import java.util.HexFormat;

/// A sealed shard, where everything in it is, and the names of its blocks: what reading many of its samples needs.
/// Immutable.
public final class LaidOutShard {
    private static final int BYTES = 512;
    private static final int ID_BYTES = BlockId.DIGITS / 2;

    private final SealedShard shard;
    private final ShardLayout layout;

    /// Of all blocks, one behind the other: as objects they would be six times as large.
    private final byte[] blockIds;

    /// @param layout of the shard
    public LaidOutShard(SealedShard shard, ShardLayout layout) {
        this(shard, layout, new byte[layout.blockCount() * ID_BYTES]);
        var sha256 = HexFormat.of().parseHex(shard.sha256());
        for (int block = 0; block < layout.blockCount(); block++) {
            var id = HexFormat.of().parseHex(BlockId.of(sha256, block).hex());
            System.arraycopy(id, 0, blockIds, block * ID_BYTES, ID_BYTES);
        }
    }

    private LaidOutShard(SealedShard shard, ShardLayout layout, byte[] blockIds) {
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
        return new BlockId(HexFormat.of().formatHex(blockIds, block * ID_BYTES, (block + 1) * ID_BYTES));
    }

    /// Bytes this holds on the heap, to within a few percent.
    public long memoryBytes() {
        return BYTES + layout.memoryBytes() + blockIds.length;
    }
}
