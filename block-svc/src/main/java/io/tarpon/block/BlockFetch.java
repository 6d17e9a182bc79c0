package io.tarpon.block;

import io.tarpon.block.client.PeerBlocks;
import io.tarpon.block.disk.DiskFaults;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.DiskFull;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jboss.logging.Logger;

/// Brings one block onto this node: from its first owner, else from the object store, every sub-block checked
/// before anybody reads it. Syncing and naming the file come after the last byte is readable, so no reader waits
/// for the disk.
public final class BlockFetch {
    private static final Logger LOG = Logger.getLogger(BlockFetch.class);
    private static final int STORE_ATTEMPTS = 2;

    private final String nodeId;
    private final LiveNodes nodes;
    private final PeerBlocks peers;
    private final ShardBytes shards;
    private final BlockMetrics metrics;

    /// @param nodeId of this node
    BlockFetch(String nodeId, LiveNodes nodes, PeerBlocks peers, ShardBytes shards, BlockMetrics metrics) {
        this.nodeId = nodeId;
        this.nodes = nodes;
        this.peers = peers;
        this.shards = shards;
        this.metrics = metrics;
    }

    /// When it returns, the block is readable to its end, and stored durably unless a log line says otherwise.
    ///
    /// @param result fails where the disk does not answer in time: then this call is still in it
    /// @throws TarponException `insufficient-storage` or `storage-unavailable`; nothing is left of the file then
    void fetch(Fill fill, int attempt, FillFrom from, Disk disk, CompletableFuture<Void> result) throws IOException {
        var header = fill.plan().header();
        var late = lateness(disk, result);
        var there = stored(header, disk, late);
        if (there.isPresent()) {
            take(fill, attempt, there.get());
            return;
        }
        var _ = disk.filling()
                .call(
                        () -> {
                            disk.shelf().reserve(header.id(), header.fileBytes());
                            return true;
                        },
                        late);
        write(fill, attempt, from, disk, late);
    }

    /// Keeps room for a block that nobody asked for yet, unless others would have to go for it: then answers
    /// false.
    boolean reserveFree(BlockPlan plan, Disk disk) throws IOException {
        return disk.filling().call(() -> disk.shelf().reserveFree(plan.header().fileBytes()), () -> {});
    }

    /// What [#reserveFree] kept is not needed.
    void giveUp(BlockPlan plan, Disk disk) {
        disk.shelf().giveUp(plan.header().fileBytes());
    }

    /// As [#fetch], in the room that [#reserveFree] kept.
    void fetchReserved(Fill fill, int attempt, FillFrom from, Disk disk, CompletableFuture<Void> result)
            throws IOException {
        var late = lateness(disk, result);
        Optional<BlockFile> there;
        try {
            there = stored(fill.plan().header(), disk, late);
        } catch (IOException | RuntimeException e) {
            giveUp(fill.plan(), disk);
            throw e;
        }
        if (there.isPresent()) {
            giveUp(fill.plan(), disk);
            take(fill, attempt, there.get());
        } else {
            write(fill, attempt, from, disk, late);
        }
    }

    /// Whether another disk may take what this one did not.
    static boolean isOfTheDisk(Throwable failure) {
        return switch (failure) {
            case TarponException refused ->
                refused.type() == ProblemType.INSUFFICIENT_STORAGE
                        || refused.getCause() instanceof IOException cause
                                && !(cause instanceof Transfer.SourceException)
                                && DiskFaults.areOf(cause);
            case IOException _ -> true;
            default -> false;
        };
    }

    private static Runnable lateness(Disk disk, CompletableFuture<Void> result) {
        return () -> result.completeExceptionally(disk.filling().away());
    }

    /// In room that is kept, and given up where nothing is stored in it.
    private void write(Fill fill, int attempt, FillFrom from, Disk disk, Runnable late) throws IOException {
        var header = fill.plan().header();
        var lane = disk.filling();
        var reserved = true;
        try (var writer = lane.call(() -> disk.shelf().create(header), late)) {
            begin(fill, attempt, writer.file(), lane);
            copy(fill, writer, from, lane, late);
            // The bytes are all readable: nobody waits for what the disk does now.
            var file = lane.call(writer::commit, () -> {});
            reserved = false;
            disk.shelf().add(file);
            disk.wrote();
        } catch (IOException e) {
            throw onDisk(header, disk, e);
        } finally {
            if (reserved) {
                disk.shelf().giveUp(header.fileBytes());
            }
        }
    }

    /// A block that another fill stored since the reader looked for it.
    private static Optional<BlockFile> stored(BlockFileHeader header, Disk disk, Runnable late) throws IOException {
        var shelf = disk.shelf();
        return disk.filling()
                .call(
                        () -> {
                            var file = shelf.open(header.id());
                            if (file.isEmpty()) {
                                return file;
                            }
                            try {
                                file.get().verify(0, file.get().length());
                                return file;
                            } catch (DamagedBlockException e) {
                                file.get().release();
                                var _ = shelf.examine(header.id());
                                return Optional.<BlockFile>empty();
                            } catch (IOException e) {
                                file.get().release();
                                throw e;
                            }
                        },
                        late);
    }

    private static void take(Fill fill, int attempt, BlockFile file) {
        if (fill.begin(attempt, file)) {
            fill.progress(file, file.length());
        }
        file.release();
    }

    /// An attempt that was given up while its disk hung has nothing more to do.
    private static void begin(Fill fill, int attempt, BlockFile file, DiskLane disk) throws IOException {
        if (!fill.begin(attempt, file)) {
            throw disk.away();
        }
    }

    private void copy(Fill fill, BlockFileWriter writer, FillFrom from, DiskLane disk, Runnable late)
            throws IOException {
        if (from == FillFrom.PEER) {
            var owner = nodes.firstOwner(fill.plan().header().id());
            if (owner.isPresent()
                    && !owner.get().id().equals(nodeId)
                    && copyFromPeer(
                            new Transfer(fill, writer, metrics::filledFromPeer, disk, late),
                            fill,
                            writer,
                            owner.get())) {
                return;
            }
        }
        var transfer = new Transfer(fill, writer, metrics::filledFromStore, disk, late);
        for (var attempt = 1; !copyFromStore(transfer, fill, attempt); attempt++) {
            writer.rewind();
        }
    }

    /// Whether the block is whole now; if not, the store goes on where the node stopped.
    private boolean copyFromPeer(Transfer transfer, Fill fill, BlockFileWriter writer, LiveNodes.Peer peer)
            throws IOException {
        var plan = fill.plan();
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

    private boolean copyFromStore(Transfer transfer, Fill fill, int attempt) throws IOException {
        var plan = fill.plan();
        try {
            transfer.run(from -> shards.open(plan, from));
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

    private static TarponException onDisk(BlockFileHeader header, Disk disk, IOException e) {
        if (DiskFull.caused(e)) {
            return new TarponException(
                    ProblemType.INSUFFICIENT_STORAGE,
                    "the disk of " + disk.folder().path() + " is full; free space, or lower tarpon.block.capacity",
                    e);
        }
        LOG.errorf(
                e,
                "block file cannot be written block=%s dir=%s",
                header.id(),
                disk.folder().path());
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE, "block " + header.id() + " cannot be written on this node", e);
    }
}
