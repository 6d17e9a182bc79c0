package io.tarpon.block;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.disk.DataFolder.Soundness;
import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/// The blocks in one data folder and the room for more: files, index and open files change together here.
///
/// One lock guards the room that is kept and the blocks that are leaving; the disk is asked outside of it, so that who
/// hangs there holds up nobody. Races and crash points: a file is added before its entry; a block that makes room loses
/// its entry before its file, and has it again where the file cannot be deleted. Where a fill stores the block between
/// the two, its new file may go with the old: an entry without file, which the next reader takes away ([#missing]). A
/// crash leaves a file without entry or an entry without file, and [#reconcile] at the next start mends both. Evicting
/// or renaming a file that somebody reads is safe: he holds it open.
public final class Shelf {
    private static final Logger LOG = Logger.getLogger(Shelf.class);

    /// Files that were deleted and are still held free their room later; so often others are looked for instead.
    private static final int ROUNDS = 3;

    private final Clock clock;
    private final DataFolder folder;
    private final OpenFiles files;
    private final BlockIndex index;
    private final RecentUse uses;
    private final long capacityBytes;
    private final long diskReserveBytes;
    private final Executor closer;
    private final Set<BlockId> leaving = new HashSet<>();
    private long reservedBytes;

    /// @param capacityBytes of all block files of the folder together
    /// @param diskReserveBytes left free on its disk
    /// @param closer closes files, which may wait for the disk
    Shelf(
            Clock clock,
            DataFolder folder,
            OpenFiles files,
            BlockIndex index,
            RecentUse uses,
            long capacityBytes,
            long diskReserveBytes,
            Executor closer) {
        this.clock = clock;
        this.folder = folder;
        this.files = files;
        this.index = index;
        this.uses = uses;
        this.capacityBytes = capacityBytes;
        this.diskReserveBytes = diskReserveBytes;
        this.closer = closer;
    }

    /// Makes the index say what the folder holds.
    public void reconcile() throws IOException {
        var reconciliation = new Reconciliation(clock.millis(), folder, index);
        reconciliation.run();
        LOG.infof(
                "blocks counted dir=%s blocks=%d bytes=%d added=%d forgotten=%d",
                folder.path(), index.blocks(), index.bytes(), reconciliation.added(), reconciliation.forgotten());
    }

    /// Keeps room for a file until [#add] or [#giveUp], evicting least recently used blocks that are neither pinned
    /// nor in use.
    ///
    /// @throws TarponException `insufficient-storage` where not enough can be evicted, or the disk itself is full
    public void reserve(BlockId id, long fileBytes) throws IOException {
        restore();
        for (var round = 0; round < ROUNDS; round++) {
            var usable = folder.usableBytes();
            long missing;
            synchronized (this) {
                missing = missingBytes(usable, fileBytes);
                if (missing <= 0) {
                    reservedBytes += fileBytes;
                    return;
                }
            }
            if (missing > index.bytes() || !evict(missing)) {
                break;
            }
        }
        throw new TarponException(
                ProblemType.INSUFFICIENT_STORAGE,
                "no room for block " + id + " in " + folder.path() + ": " + index.bytes() + " of " + capacityBytes
                        + " bytes are stored, and what may go is not enough to leave " + diskReserveBytes
                        + " bytes free; free space, add a disk, or raise tarpon.block.capacity");
    }

    /// The same where there is room as things are; otherwise changes nothing and answers false. Evicts
    /// nothing.
    public boolean reserveFree(long fileBytes) throws IOException {
        restore();
        var usable = folder.usableBytes();
        synchronized (this) {
            if (missingBytes(usable, fileBytes) > 0) {
                return false;
            }
            reservedBytes += fileBytes;
            return true;
        }
    }

    /// The room is not needed.
    public synchronized void giveUp(long fileBytes) {
        reservedBytes -= fileBytes;
    }

    /// A reader found no file. One that is in the index was removed by somebody else: it is counted no longer.
    public void missing(BlockId id) throws IOException {
        if (index.get(id).isPresent() && !folder.has(id)) {
            index.remove(id);
            LOG.warnf("block file is gone block=%s path=%s", id, folder.file(id));
        }
    }

    /// Forgets a block that nobody wants any more, pinned or not. Who reads it keeps the file he holds open; a fill
    /// that is bringing it is none of this, and stores it.
    ///
    /// @param dryRun changes nothing
    /// @return bytes of its file, 0 where the block is not here
    public long drop(BlockId id, boolean dryRun) throws IOException {
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
            return Optional.of(files.open(
                    id, folder.file(id), path -> BlockFile.open(path, id).closedOn(closer)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// A new file for a block, to be filled, in the room that is kept. It is closed like all others, also where it
    /// never becomes one of them: the last reader must not wait for the disk.
    public BlockFileWriter create(BlockFileHeader header) throws IOException {
        var writer = folder.create(header);
        var _ = writer.file().closedOn(closer);
        return writer;
    }

    /// A file of [#create] that has its name is now a stored one, and open; its reference passes to the shelf.
    public void add(BlockFile file) throws IOException {
        giveUp(file.header().fileBytes());
        files.add(file);
        index.put(new BlockEntry(file.id(), file.header().fileBytes(), clock.millis(), false));
    }

    /// Reads the whole block anew. Afterwards a damaged file is in quarantine, and what is open and indexed is what
    /// is there. A disk that fails says nothing about the bytes: then nothing is changed.
    public Soundness examine(BlockId id) throws IOException {
        var soundness = folder.examine(id);
        if (soundness != Soundness.SOUND) {
            files.forget(id);
            if (soundness == Soundness.DAMAGED) {
                folder.quarantine(id);
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

    private void restore() throws IOException {
        if (folder.restore()) {
            reconcile();
        }
    }

    /// Of the capacity, or of what the disk says that it has: the larger want counts. What a deleted file that is still
    /// open holds, here or in a gateway, the disk has not got back yet.
    private long missingBytes(long usableBytes, long fileBytes) {
        return Math.max(
                index.bytes() + reservedBytes + fileBytes - capacityBytes,
                diskReserveBytes + reservedBytes + fileBytes - usableBytes);
    }

    private boolean evict(long missingBytes) throws IOException {
        uses.flush();
        var victims = victims(missingBytes);
        try {
            for (var victim : victims) {
                remove(victim);
                LOG.infof("block evicted block=%s bytes=%d", victim.id(), victim.fileBytes());
            }
        } finally {
            synchronized (this) {
                victims.forEach(victim -> leaving.remove(victim.id()));
            }
        }
        return !victims.isEmpty();
    }

    /// The blocks that go for so many bytes, none where they are too few. Those of another who looks for room at the
    /// same time are passed over.
    private synchronized List<BlockEntry> victims(long missingBytes) throws IOException {
        var victims = new ArrayList<BlockEntry>();
        var freed = new long[1];
        index.leastRecentlyUsed(entry -> {
            if (!entry.pinned() && !leaving.contains(entry.id()) && !files.inUse(entry.id())) {
                victims.add(entry);
                freed[0] += entry.fileBytes();
            }
            return freed[0] < missingBytes;
        });
        if (freed[0] < missingBytes) {
            return List.of();
        }
        victims.forEach(victim -> leaving.add(victim.id()));
        return victims;
    }

    /// A file that cannot be deleted can be read: it stays one of the stored ones.
    private void remove(BlockEntry entry) throws IOException {
        files.forget(entry.id());
        index.remove(entry.id());
        try {
            folder.delete(entry.id());
        } catch (IOException e) {
            index.put(entry);
            throw e;
        }
    }
}
