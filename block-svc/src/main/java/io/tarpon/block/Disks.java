package io.tarpon.block;

import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFolder;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// The disks of this node that could be opened, and the order in which they are asked for a block: as
/// [BlockFolder#ranked] places it, disks that failed a moment ago last, silent ones not at all. A block that is not
/// where it belongs, because a disk came or went since it was stored, is found by the indexes.
///
/// Any thread may ask; a disk is added once, and stays. One thread looks at what they owe. Totals wait for no disk.
final class Disks implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Disks.class);

    private final List<Disk> disks = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tarpon-disk-watch").factory());

    /// One disk more.
    void add(Disk disk) {
        disks.add(disk);
        var every = disk.lookEveryNanos();
        var _ = watch.scheduleWithFixedDelay(() -> look(disk), every, every, TimeUnit.NANOSECONDS);
    }

    List<Disk> all() {
        return disks;
    }

    /// The block's file where it is open and can be sent, with a reference for the caller.
    Optional<Opened> cached(BlockId id) {
        for (var disk : disks) {
            var file = disk.cached(id);
            if (file.isPresent()) {
                return Optional.of(new Opened(file.get(), disk));
            }
        }
        return Optional.empty();
    }

    /// Where the block belongs, and then where it would go; disks that answer, those that rest last.
    List<Disk> ranked(BlockId id) {
        var ranked = new ArrayList<Disk>();
        var resting = new ArrayList<Disk>();
        for (var disk : BlockFolder.ranked(id, disks, Disk::id)) {
            if (disk.answers()) {
                (disk.isResting() ? resting : ranked).add(disk);
            }
        }
        ranked.addAll(resting);
        return ranked;
    }

    /// Those of [#ranked] that can take a new block.
    List<Disk> forFill(BlockId id) {
        return ranked(id).stream().filter(Disk::takesFills).toList();
    }

    /// Those of [#ranked] that have the block by their index.
    List<Disk> holding(BlockId id) throws IOException {
        var holding = new ArrayList<Disk>();
        for (var disk : ranked(id)) {
            if (disk.shelf().has(id)) {
                holding.add(disk);
            }
        }
        return holding;
    }

    /// Whether any disk has the block by its index, silent or not.
    boolean has(BlockId id) throws IOException {
        for (var disk : disks) {
            if (disk.shelf().has(id)) {
                return true;
            }
        }
        return false;
    }

    /// Somebody reads the block without asking us: from where it belongs, or where it did before the last disk came.
    void used(BlockId id) {
        ranked(id).stream().limit(2).forEach(disk -> disk.uses().used(id));
    }

    /// How many fare like that.
    long count(Disk.State state) {
        return disks.stream().filter(disk -> disk.state() == state).count();
    }

    long blocks() {
        return disks.stream().mapToLong(disk -> disk.shelf().blocks()).sum();
    }

    long bytes() {
        return disks.stream().mapToLong(disk -> disk.shelf().bytes()).sum();
    }

    long openFiles() {
        return disks.stream().mapToLong(disk -> disk.files().count()).sum();
    }

    int usesAwaitingFlush() {
        return disks.stream().mapToInt(disk -> disk.uses().awaitingFlush()).sum();
    }

    /// Writes down when blocks were last used. Throws nothing, so that who calls it every few seconds goes on.
    void flushUses() {
        for (var disk : disks) {
            try {
                disk.uses().flush();
            } catch (IOException e) {
                LOG.warnf(
                        "last-use times not written dir=%s reason=%s",
                        disk.folder().path(), e.getMessage());
            } catch (RuntimeException e) {
                LOG.errorf(e, "last-use times not written dir=%s", disk.folder().path());
            }
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
        var closing = disks.stream()
                .map(disk ->
                        Thread.ofPlatform().daemon().name("tarpon-disk-close").start(disk::close))
                .toList();
        try {
            for (var thread : closing) {
                // A disk that hangs ends with the process.
                var _ = thread.join(Duration.ofSeconds(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void look(Disk disk) {
        try {
            disk.look();
        } catch (RuntimeException e) {
            LOG.errorf(e, "disk not looked at dir=%s", disk.folder().path());
        }
    }

    /// An open file and its disk.
    record Opened(BlockFile file, Disk disk) {}
}
