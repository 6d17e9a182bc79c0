package io.tarpon.wire.block;

import java.util.List;

/// Asks a block service to forget blocks that no version uses any more; ones it does not hold are passed over.
///
/// @param ids at most [#MAX_IDS] block ids
/// @param dryRun only count them
public record DropBlocks(List<String> ids, boolean dryRun) {
    public static final int MAX_IDS = 10_000;

    public DropBlocks {
        ids = List.copyOf(ids);
        if (ids.size() > MAX_IDS) {
            throw new IllegalArgumentException("ids has " + ids.size() + " entries, over " + MAX_IDS);
        }
    }

    /// What was held and is dropped, or would be.
    public record Answer(long blocks, long bytes) {}
}
