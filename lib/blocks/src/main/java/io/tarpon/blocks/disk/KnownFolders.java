package io.tarpon.blocks.disk;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/// Finds block files in the folders of nodes on this host as the nodes do, by the folders' names, which it reads
/// now and then: a disk that was changed for another is noticed within an interval.
///
/// A folder is read by a thread of its own, because a disk that hangs holds whoever asks it. It is waited for within
/// the first moments of a reading only; then, and until the disk answers, the folder has the name that it had, or is
/// passed over, and the other disks of the node go on.
///
/// Threads: any. No lock is held while a disk is read.
public final class KnownFolders {
    private static final Logger LOG = Logger.getLogger(KnownFolders.class);

    /// Where a block is looked for: where it belongs, and where it belonged before the last folder was added.
    private static final int PLACES = 2;

    /// A bound for a list that others send.
    private static final int MOST_FOLDERS = 4096;

    /// Of folders that are read at once, each on a thread: more than that hang on no host of ours.
    private static final int MOST_READINGS = 256;

    private final long lookNanos;
    private final long patienceNanos;
    private final ConcurrentMap<Path, Known> known = new ConcurrentHashMap<>();
    private final ConcurrentMap<Path, Reading> readings = new ConcurrentHashMap<>();

    /// @param look time for which a folder is believed to have the name that it had
    /// @param patience how long a folder that is being read is waited for, from the beginning of the reading
    public KnownFolders(Duration look, Duration patience) {
        this.lookNanos = look.toNanos();
        this.patienceNanos = patience.toNanos();
    }

    /// Where the block's file may lie, the best place first; empty where no folder can be read. Waits for the disks,
    /// but not for one that hangs.
    ///
    /// @param folders of one node, as it registered them
    public List<Path> places(List<String> folders, BlockId block) {
        var named = new ArrayList<BlockFolder>();
        for (var folder : folders) {
            var name = name(Path.of(folder));
            if (!name.isEmpty() && named.stream().noneMatch(other -> other.id().equals(name))) {
                named.add(new BlockFolder(Path.of(folder), name));
            }
        }
        if (named.isEmpty()) {
            return List.of();
        }
        return BlockFolder.ranked(block, named).stream()
                .limit(PLACES)
                .map(folder -> folder.file(block))
                .toList();
    }

    private String name(Path folder) {
        var before = known.get(folder);
        if (before != null && System.nanoTime() - before.readNanos < lookNanos) {
            return before.id;
        }
        var believed = before == null ? "" : before.id;
        if (readings.size() >= MOST_READINGS && !readings.containsKey(folder)) {
            return believed;
        }
        var reading = readings.computeIfAbsent(folder, this::begin);
        var left = Math.max(0, reading.beganNanos + patienceNanos - System.nanoTime());
        try {
            return reading.id.get(left, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return believed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return believed;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the name of " + folder + " could not be read", e.getCause());
        }
    }

    private Reading begin(Path folder) {
        var name = "folder-" + folder.getFileName();
        return new Reading(
                System.nanoTime(),
                CompletableFuture.supplyAsync(
                        () -> readAnew(folder),
                        task -> Thread.ofPlatform().daemon().name(name).start(task)));
    }

    private String readAnew(Path folder) {
        try {
            var id = read(folder);
            if (known.size() >= MOST_FOLDERS) {
                known.clear();
            }
            known.put(folder, new Known(id, System.nanoTime()));
            return id;
        } finally {
            readings.remove(folder);
        }
    }

    private static String read(Path folder) {
        try {
            return BlockFolder.read(folder).id();
        } catch (IOException e) {
            LOG.debugf("block folder has no name folder=%s reason=%s", folder, e.getMessage());
            return "";
        }
    }

    /// @param id empty where the folder cannot be read
    private record Known(String id, long readNanos) {}

    private record Reading(long beganNanos, CompletableFuture<String> id) {}
}
