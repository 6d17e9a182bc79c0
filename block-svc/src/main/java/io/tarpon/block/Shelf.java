package io.tarpon.block;

import io.tarpon.block.disk.DataDirs;
import io.tarpon.block.disk.DataDirs.Soundness;
import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/// The blocks on this node's disks and the room for more: files, index and open files change together here.
///
/// One lock guards every change of what is stored, so that of one block no two changes cross. Crash points: a file
/// is added before its entry and its entry is removed after the file, so a crash leaves a file without entry or an
/// entry without file, and [#reconcile] at the next start mends both. Evicting or renaming a file that somebody
/// reads is safe: he holds it open.
public final class Shelf {
    private static final Logger LOG = Logger.getLogger(Shelf.class);

    private final Clock clock;
    private final DataDirs dirs;
    private final OpenFiles files;
    private final BlockIndex index;
    private final RecentUse uses;
    private final long capacityBytes;
    private final long diskReserveBytes;
    private long reservedBytes;

    /// @param capacityBytes of all block files together
    /// @param diskReserveBytes left free on each disk
    public Shelf(
            Clock clock,
            DataDirs dirs,
            OpenFiles files,
            BlockIndex index,
            RecentUse uses,
            long capacityBytes,
            long diskReserveBytes) {
        this.clock = clock;
        this.dirs = dirs;
        this.files = files;
        this.index = index;
        this.uses = uses;
        this.capacityBytes = capacityBytes;
        this.diskReserveBytes = diskReserveBytes;
    }

    /// Makes the index say what the data folders hold. Called once, before anything is served.
    public synchronized void reconcile() throws IOException {
        var reconciliation = new Reconciliation(clock.millis(), dirs, index);
        reconciliation.run();
        LOG.infof(
                "blocks counted blocks=%d bytes=%d added=%d forgotten=%d",
                index.blocks(), index.bytes(), reconciliation.added(), reconciliation.forgotten());
    }

    /// Keeps room for a file until [#add] or [#giveUp], evicting least recently used blocks that are neither pinned
    /// nor in use.
    ///
    /// @throws TarponException `insufficient-storage` where not enough can be evicted, or the disk itself is full
    public synchronized void reserve(BlockId id, long fileBytes) throws IOException {
        if (!diskHasRoom(id, fileBytes)) {
            throw full("the disk of " + dirs.dir(id) + " has no room for block " + id + " above its reserve of "
                    + diskReserveBytes + " bytes; free space or add a disk");
        }
        var missing = missingBytes(fileBytes);
        if (missing > 0 && !evict(missing)) {
            throw full("no block can be evicted for block " + id + ": " + index.bytes() + " of " + capacityBytes
                    + " bytes are pinned or in use; raise tarpon.block.capacity");
        }
        reservedBytes += fileBytes;
    }

    /// The same where there is room as things are; otherwise changes nothing and answers false. Evicts
    /// nothing.
    public synchronized boolean reserveFree(BlockId id, long fileBytes) throws IOException {
        if (!diskHasRoom(id, fileBytes) || missingBytes(fileBytes) > 0) {
            return false;
        }
        reservedBytes += fileBytes;
        return true;
    }

    /// The room is not needed.
    public synchronized void giveUp(long fileBytes) {
        reservedBytes -= fileBytes;
    }

    /// A reader found no file. One that is in the index was removed by somebody else: it is counted no longer.
    public synchronized void missing(BlockId id) throws IOException {
        if (index.get(id).isPresent() && !dirs.has(id)) {
            index.remove(id);
            LOG.warnf("block file is gone block=%s path=%s", id, dirs.path(id));
        }
    }

    /// Forgets a block that nobody wants any more, pinned or not. Who reads it keeps the file he holds open; a fill
    /// that is bringing it is none of this, and stores it.
    ///
    /// @param dryRun changes nothing
    /// @return bytes of its file, 0 where the block is not here
    public synchronized long drop(BlockId id, boolean dryRun) throws IOException {
        var entry = index.get(id);
        if (entry.isPresent() && !dryRun) {
            remove(entry.get());
        }
        return entry.map(BlockEntry::fileBytes).orElse(0L);
    }

    /// The block's file, opened if need be, with a reference for the caller; empty where there is none.
    ///
    /// @throws IOException also where it is not what its name says
    public Optional<BlockFile> open(BlockId id) throws IOException {
        try {
            return Optional.of(files.open(id, dirs.path(id), path -> BlockFile.open(path, id)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// A file that has its name is now one of the stored ones, and open; its reference passes to the shelf.
    public synchronized void add(BlockFile file) throws IOException {
        reservedBytes -= file.header().fileBytes();
        files.add(file);
        index.put(new BlockEntry(file.id(), file.header().fileBytes(), dirs.number(file.id()), clock.millis(), false));
    }

    /// Reads the whole block anew. Afterwards a damaged file is in quarantine, and what is open and indexed is what
    /// is there.
    public synchronized Soundness examine(BlockId id) throws IOException {
        var soundness = dirs.examine(id);
        if (soundness != Soundness.SOUND) {
            files.forget(id);
            if (soundness == Soundness.DAMAGED) {
                dirs.quarantine(id);
            }
            index.remove(id);
        }
        return soundness;
    }

    /// Whether the block is one of the stored ones; nobody looks whether its file is still there.
    public boolean has(BlockId id) throws IOException {
        return index.get(id).isPresent();
    }

    public long blocks() {
        return index.blocks();
    }

    /// Bytes of the stored block files.
    public long bytes() {
        return index.bytes();
    }

    public long capacityBytes() {
        return capacityBytes;
    }

    private boolean diskHasRoom(BlockId id, long fileBytes) throws IOException {
        if (dirs.restore(id)) {
            reconcile();
        }
        return dirs.usableBytes(id) - reservedBytes - fileBytes >= diskReserveBytes;
    }

    private long missingBytes(long fileBytes) {
        return index.bytes() + reservedBytes + fileBytes - capacityBytes;
    }

    private boolean evict(long missingBytes) throws IOException {
        uses.flush();
        var freedBytes = new AtomicLong();
        index.leastRecentlyUsed(entry -> {
            if (!entry.pinned() && !files.inUse(entry.id())) {
                remove(entry);
                freedBytes.addAndGet(entry.fileBytes());
                LOG.infof("block evicted block=%s bytes=%d", entry.id(), entry.fileBytes());
            }
            return freedBytes.get() < missingBytes;
        });
        return freedBytes.get() >= missingBytes;
    }

    /// The file goes first: a crash then leaves an entry without file, which the next start forgets.
    private void remove(BlockEntry entry) throws IOException {
        files.forget(entry.id());
        dirs.delete(entry.id());
        index.remove(entry.id());
    }

    private static TarponException full(String detail) {
        return new TarponException(ProblemType.INSUFFICIENT_STORAGE, detail);
    }
}
