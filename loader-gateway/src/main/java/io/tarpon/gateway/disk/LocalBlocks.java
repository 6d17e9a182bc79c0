package io.tarpon.gateway.disk;

import io.netty.util.concurrent.EventExecutor;
import io.tarpon.blocks.disk.KnownFolders;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.gateway.flow.BlockSource;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.metadata.NodeRecord;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;

/// Blocks of nodes on this host, out of their files.
public final class LocalBlocks {
    private static final Logger LOG = Logger.getLogger(LocalBlocks.class);

    /// A disk that was changed for another is noticed after this time; until then its node serves what it has.
    private static final Duration FOLDER_LOOK = Duration.ofMinutes(1);

    /// A folder's name is one page of its disk.
    private static final Duration FOLDER_PATIENCE = Duration.ofMillis(500);

    private final OpenFiles files;
    private final KnownFolders folders = new KnownFolders(FOLDER_LOOK, FOLDER_PATIENCE);
    private final DiskLanes lanes;
    private final BiConsumer<NodeRecord, BlockId> damaged;

    /// @param damaged tells a node of a file that is not the block that was sealed
    public LocalBlocks(OpenFiles files, DiskLanes lanes, BiConsumer<NodeRecord, BlockId> damaged) {
        this.files = files;
        this.lanes = lanes;
        this.damaged = damaged;
    }

    /// The files of a node for a response on this event loop.
    public BlockSource source(NodeRecord node, EventExecutor loop) {
        return (piece, wake) -> new LocalBytes(files, folders, lanes, loop, node, piece, wake, bad -> {
            LOG.warnf(
                    "damaged block file node=%s block=%s shard=%s",
                    node.id(), bad.blockId(), bad.shard().ref());
            damaged.accept(node, bad.blockId());
        });
    }
}
