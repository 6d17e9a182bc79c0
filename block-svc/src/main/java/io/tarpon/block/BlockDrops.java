package io.tarpon.block;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.DropBlocks;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jboss.logging.Logger;

/// Forgetting blocks that no version has any more. A block that is on its way while it is dropped is not here yet: it
/// is stored, does no harm, since its id is its content, and goes when it is dropped again or least recently used. So
/// does one on a disk that does not answer.
public final class BlockDrops {
    private static final Logger LOG = Logger.getLogger(BlockDrops.class);

    private final Disks disks;

    BlockDrops(Disks disks) {
        this.disks = disks;
    }

    /// Afterwards none of these blocks has a file on a disk that answers, unless it was only counted. Safe to ask
    /// again: after a failure some are gone and some not.
    public CompletionStage<DropBlocks.Answer> drop(List<BlockId> ids, boolean dryRun) {
        var answer = CompletableFuture.completedFuture(new DropBlocks.Answer(0, 0));
        for (var disk : disks.all()) {
            if (disk.takesFills()) {
                answer = answer.thenCombine(drop(disk, ids, dryRun), BlockDrops::sum);
            } else {
                LOG.warnf(
                        "blocks not dropped, the disk does not answer dir=%s",
                        disk.folder().path());
            }
        }
        return answer;
    }

    /// On a thread of its own, so that no reader waits behind ten thousand of them.
    private static CompletableFuture<DropBlocks.Answer> drop(Disk disk, List<BlockId> ids, boolean dryRun) {
        var result = new CompletableFuture<DropBlocks.Answer>();
        var _ = disk.drops().submit(() -> run(disk, ids, dryRun, result)).whenComplete((answer, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(answer);
            }
        });
        return result;
    }

    private static DropBlocks.Answer run(
            Disk disk, List<BlockId> ids, boolean dryRun, CompletableFuture<DropBlocks.Answer> result)
            throws IOException {
        Runnable late = () -> result.completeExceptionally(disk.filling().away());
        var dropped = new DropBlocks.Answer(0, 0);
        for (var id : ids) {
            long fileBytes = disk.filling().call(() -> disk.shelf().drop(id, dryRun), late);
            dropped = sum(dropped, new DropBlocks.Answer(fileBytes > 0 ? 1 : 0, fileBytes));
        }
        return dropped;
    }

    private static DropBlocks.Answer sum(DropBlocks.Answer one, DropBlocks.Answer other) {
        return new DropBlocks.Answer(one.blocks() + other.blocks(), one.bytes() + other.bytes());
    }
}
