package io.tarpon.wire.block;

import java.util.List;

/// Tells a block service which blocks will be read soon, so that it fills those it lacks before they are
/// asked for. A hint: nothing waits for it, and nothing is wrong where it is passed over.
///
/// @param blocks at most [#MOST], the one that is needed first in front
public record WantedBlocks(List<Wanted> blocks) {
    public static final int MOST = 1_000;

    public WantedBlocks {
        blocks = List.copyOf(blocks);
        if (blocks.size() > MOST) {
            throw new IllegalArgumentException("blocks has " + blocks.size() + " entries, over " + MOST);
        }
    }

    /// A block as `GET /v1/blocks/{id}` names it.
    ///
    /// @param id of the block
    /// @param shard path of a sealed shard that has it, `demo/v1/train/shard-000000`
    /// @param block its number in that shard, 0-based
    public record Wanted(String id, String shard, int block) {}

    /// How many of the blocks, from the first on, now wait to be filled or waited already; the others were
    /// dropped.
    public record Answer(int taken) {}
}
