package io.tarpon.block;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.disk.DiskFaults;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/// One data folder with all that works on it: its blocks, its room, its open files, its threads and how it fares. Disks
/// share nothing, so that one that hangs, is slow, full or broken takes nothing from the others.
///
/// Three kinds of threads ask the disk: those that read, those that fill, and one that closes files. A disk is `silent`
/// while it owes answers ([DiskCalls]); it `rests` from new blocks after a failure ([DiskRest]).
final class Disk implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Disk.class);

    private final DataFolder folder;
    private final BlockIndex index;
    private final OpenFiles files;
    private final RecentUse uses;
    private final Shelf shelf;
    private final DiskRest rest = new DiskRest();
    private final DiskLane reading;
    private final DiskLane filling;
    private final BoundedPool drops;
    private final ExecutorService closer;
    private final Semaphore wanted;
    private volatile boolean saidSilent;

    /// Takes over the folder and the index.
    Disk(DataFolder folder, BlockIndex index, DiskShare share) {
        this.folder = folder;
        this.index = index;
        this.files = new OpenFiles(share.openFiles(), OpenFiles.FOR_GOOD, share.fileLook());
        this.uses = new RecentUse(share.clock(), index);
        this.closer = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("tarpon-close").factory());
        this.shelf = new Shelf(
                share.clock(), folder, files, index, uses, share.capacityBytes(), share.diskReserveBytes(), closer);
        var name = folder.path().toString();
        var deadline = share.deadline();
        this.reading = new DiskLane(
                name, new BoundedPool("disk", share.readThreads(), share.readQueue()), deadline, this::failed);
        this.filling = new DiskLane(
                name, new BoundedPool("fill", share.fillThreads(), share.fillQueue()), deadline, this::failed);
        this.drops = new BoundedPool("drop", 1, share.dropQueue());
        this.wanted = new Semaphore(share.wantedFills());
    }

    /// The folder's name for good.
    String id() {
        return folder.id();
    }

    DataFolder folder() {
        return folder;
    }

    Shelf shelf() {
        return shelf;
    }

    OpenFiles files() {
        return files;
    }

    RecentUse uses() {
        return uses;
    }

    DiskLane reading() {
        return reading;
    }

    DiskLane filling() {
        return filling;
    }

    BoundedPool drops() {
        return drops;
    }

    /// Places for blocks that nobody waits for yet: fewer than the node has, so that a disk that hangs does not take
    /// all.
    Semaphore wanted() {
        return wanted;
    }

    /// Whether it is worth asking for a block.
    boolean answers() {
        return !reading.isSilent();
    }

    /// Whether it can take a new block at all.
    boolean takesFills() {
        return answers() && !filling.isSilent();
    }

    /// Whether it failed a moment ago, and others are better asked first.
    boolean isResting() {
        return rest.isResting(System.nanoTime());
    }

    /// A write came to its end.
    void wrote() {
        rest.succeeded();
    }

    State state() {
        if (!takesFills()) {
            return State.SILENT;
        }
        return isResting() ? State.RESTING : State.WELL;
    }

    /// Failures of the disk since it was opened.
    long failures() {
        return rest.failures();
    }

    /// The block's file if it is open, was looked at a moment ago, and the disk answers.
    Optional<BlockFile> cached(BlockId id) {
        return answers() ? files.cached(id) : Optional.empty();
    }

    /// One look at what the disk owes.
    void look() {
        reading.look(() -> {
            folder.probe();
            return true;
        });
        filling.look(() -> {
            folder.probe();
            return true;
        });
        var silent = !takesFills();
        if (silent != saidSilent) {
            saidSilent = silent;
            if (silent) {
                LOG.errorf("disk does not answer, its blocks come from elsewhere dir=%s", folder.path());
            } else {
                LOG.infof("disk answers again dir=%s", folder.path());
            }
        }
    }

    long lookEveryNanos() {
        return reading.lookEveryNanos();
    }

    /// Lets those be who wait for the disk: their threads end with the process.
    @Override
    public void close() {
        reading.close();
        filling.close();
        drops.close();
        try {
            uses.flush();
        } catch (IOException e) {
            LOG.warnf("last-use times not written dir=%s reason=%s", folder.path(), e.getMessage());
        }
        files.close();
        closer.shutdown();
        index.close();
        if (takesFills()) {
            folder.close();
        }
    }

    private void failed(IOException failure) {
        if (DiskFaults.areOf(failure) && rest.failed(System.nanoTime())) {
            LOG.errorf(
                    "disk failed and takes no new blocks for a while dir=%s reason=%s",
                    folder.path(), failure.getMessage());
        }
    }

    /// What to say of a disk.
    enum State {
        WELL,
        /// It failed, and takes no new blocks for a while.
        RESTING,
        /// It owes answers.
        SILENT;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
