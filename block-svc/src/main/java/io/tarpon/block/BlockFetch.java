package io.tarpon.block;

import io.tarpon.block.client.PeerBlocks;
import io.tarpon.block.disk.DataDirs;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.DiskFull;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jboss.logging.Logger;

/// Brings one block onto this node: from its first owner, else from the object store, every sub-block checked
/// before anybody reads it. Syncing and naming the file come after the last byte is readable, so no reader waits
/// for the disk.
public final class BlockFetch {
    private static final Logger LOG = Logger.getLogger(BlockFetch.class);
    private static final int STORE_ATTEMPTS = 2;

    private final String nodeId;
    private final DataDirs dirs;
    private final Shelf shelf;
    private final LiveNodes nodes;
    private final PeerBlocks peers;
    private final ShardBytes shards;
    private final BlockMetrics metrics;

    /// @param nodeId of this node
    public BlockFetch(
            String nodeId,
            DataDirs dirs,
            Shelf shelf,
            LiveNodes nodes,
            PeerBlocks peers,
            ShardBytes shards,
            BlockMetrics metrics) {
        this.nodeId = nodeId;
        this.dirs = dirs;
        this.shelf = shelf;
        this.nodes = nodes;
        this.peers = peers;
        this.shards = shards;
        this.metrics = metrics;
    }

    /// When it returns, the block is readable to its end, and stored durably unless a log line says otherwise.
    ///
    /// @throws TarponException `insufficient-storage` or `storage-unavailable`; nothing is left of the file then
    void fetch(Fill fill, FillFrom from) throws IOException {
        var header = fill.plan().header();
        var there = stored(header);
        if (there.isPresent()) {
            take(fill, there.get());
            return;
        }
        shelf.reserve(header.id(), header.fileBytes());
        write(fill, from);
    }

    /// Keeps room for a block that nobody asked for yet, unless others would have to go for it: then answers
    /// false.
    boolean reserveFree(BlockPlan plan) throws IOException {
        return shelf.reserveFree(plan.header().id(), plan.header().fileBytes());
    }

    /// What [#reserveFree] kept is not needed.
    void giveUp(BlockPlan plan) {
        shelf.giveUp(plan.header().fileBytes());
    }

    /// As [#fetch], in the room that [#reserveFree] kept.
    void fetchReserved(Fill fill, FillFrom from) throws IOException {
        Optional<BlockFile> there;
        try {
            there = stored(fill.plan().header());
        } catch (IOException | RuntimeException e) {
            giveUp(fill.plan());
            throw e;
        }
        if (there.isPresent()) {
            giveUp(fill.plan());
            take(fill, there.get());
        } else {
            write(fill, from);
        }
    }

    /// In room that is kept, and given up where nothing is stored in it.
    private void write(Fill fill, FillFrom from) throws IOException {
        var header = fill.plan().header();
        var reserved = true;
        try (var writer = dirs.create(header)) {
            fill.begin(writer.file());
            copy(fill, writer, from);
            var file = writer.commit();
            reserved = false;
            shelf.add(file);
        } catch (IOException e) {
            throw onDisk(header, e);
        } finally {
            if (reserved) {
                shelf.giveUp(header.fileBytes());
            }
        }
    }

    /// A block that another fill stored since the reader looked for it.
    private Optional<BlockFile> stored(BlockFileHeader header) throws IOException {
        var file = shelf.open(header.id());
        if (file.isPresent()) {
            try {
                file.get().verify(0, file.get().length());
                return file;
            } catch (IOException e) {
                file.get().release();
                shelf.examine(header.id());
            }
        }
        return Optional.empty();
    }

    private static void take(Fill fill, BlockFile file) throws IOException {
        fill.begin(file);
        file.release();
        fill.progress(file.length());
    }

    private void copy(Fill fill, BlockFileWriter writer, FillFrom from) throws IOException {
        if (from == FillFrom.PEER) {
            var owner = nodes.firstOwner(fill.plan().header().id());
            if (owner.isPresent() && !owner.get().id().equals(nodeId) && copyFromPeer(fill, writer, owner.get())) {
                return;
            }
        }
        for (var attempt = 1; !copyFromStore(fill, writer, attempt); attempt++) {
            writer.rewind();
        }
    }

    /// Whether the block is whole now; if not, the store goes on where the node stopped.
    private boolean copyFromPeer(Fill fill, BlockFileWriter writer, LiveNodes.Peer peer) throws IOException {
        var plan = fill.plan();
        var transfer = new Transfer(fill, writer, metrics::filledFromPeer);
        try {
            transfer.run(from -> peers.open(
                    URI.create(peer.url()), plan.header().id(), plan.shard(), plan.number(), from, plan.length()));
            return true;
        } catch (Transfer.SourceException e) {
            LOG.warnf(
                    "block not copied block=%s node=%s reason=%s", plan.header().id(), peer.id(), e.getMessage());
            writer.rewind();
            return false;
        }
    }

    private boolean copyFromStore(Fill fill, BlockFileWriter writer, int attempt) throws IOException {
        var plan = fill.plan();
        try {
            new Transfer(fill, writer, metrics::filledFromStore).run(from -> shards.open(plan, from));
            return true;
        } catch (Transfer.SourceException e) {
            if (attempt < STORE_ATTEMPTS && !e.damaged()) {
                LOG.warnf(
                        "object store broke off block=%s reason=%s",
                        plan.header().id(), e.getMessage());
                return false;
            }
            LOG.errorf(
                    "block cannot be had from the object store block=%s shard=%s number=%d reason=%s",
                    plan.header().id(), plan.shard(), plan.number(), e.getMessage());
            throw new TarponException(
                    ProblemType.STORAGE_UNAVAILABLE,
                    "block " + plan.number() + " of shard " + plan.shard() + " cannot be had from the object store: "
                            + e.getMessage(),
                    e);
        }
    }

    private TarponException onDisk(BlockFileHeader header, IOException e) {
        if (DiskFull.caused(e)) {
            return new TarponException(
                    ProblemType.INSUFFICIENT_STORAGE,
                    "the disk of " + dirs.dir(header.id()) + " is full; free space, or lower tarpon.block.capacity",
                    e);
        }
        LOG.errorf(e, "block file cannot be written block=%s dir=%s", header.id(), dirs.dir(header.id()));
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE, "block " + header.id() + " cannot be written on this node", e);
    }
}
