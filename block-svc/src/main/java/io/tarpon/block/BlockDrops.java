package io.tarpon.block;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.DropBlocks;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/// Forgetting blocks that no version has any more. A block that is on its way while it is dropped is not here yet: it
/// is stored, does no harm, since its id is its content, and goes when it is dropped again or least recently used.
public final class BlockDrops {
    private final Shelf shelf;
    private final BoundedPool pool;

    /// @param pool whose thread deletes the files, so that no reader waits behind ten thousand of them
    public BlockDrops(Shelf shelf, BoundedPool pool) {
        this.shelf = shelf;
        this.pool = pool;
    }

    /// Afterwards none of these blocks has a file here, unless it was only counted. Safe to ask again: after a
    /// failure some are gone and some not.
    public CompletionStage<DropBlocks.Answer> drop(List<BlockId> ids, boolean dryRun) {
        return pool.submit(() -> run(ids, dryRun));
    }

    private DropBlocks.Answer run(List<BlockId> ids, boolean dryRun) throws IOException {
        var blocks = 0L;
        var bytes = 0L;
        for (var id : ids) {
            var fileBytes = shelf.drop(id, dryRun);
            blocks += fileBytes > 0 ? 1 : 0;
            bytes += fileBytes;
        }
        return new DropBlocks.Answer(blocks, bytes);
    }
}
