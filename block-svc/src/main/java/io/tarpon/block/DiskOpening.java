package io.tarpon.block;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.disk.FolderInUseException;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Opens the data folders at start, each on a thread of its own: one that fails or hangs is opened when it can be, and
/// the node begins without it. A folder that another process has, or that another build wrote, is a mistake, and stops
/// the start.
///
/// A thread that hangs in a disk ends with the process.
final class DiskOpening implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DiskOpening.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Disks disks;
    private final Path indexes;
    private final int quarantineFiles;
    private final DiskShare share;
    private final ConcurrentMap<String, Path> named = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /// @param indexes folder for the indexes of the folders, each under its folder's name
    DiskOpening(Disks disks, Path indexes, int quarantineFiles, DiskShare share) {
        this.disks = disks;
        this.indexes = indexes;
        this.quarantineFiles = quarantineFiles;
        this.share = share;
    }

    /// Opens the folders; those that are not open after the wait, while one is, come later.
    ///
    /// @throws IOException where none can be opened, or one is not to be opened at all
    void open(List<Path> folders, Duration wait) throws IOException {
        var firsts = folders.stream().map(this::begin).toList();
        var all = CompletableFuture.allOf(firsts.toArray(CompletableFuture<?>[]::new));
        var _ = all.exceptionally(_ -> null)
                .completeOnTimeout(null, wait.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        while (disks.all().isEmpty() && firsts.stream().anyMatch(first -> !first.isDone())) {
            CompletableFuture.anyOf(
                            firsts.stream().filter(first -> !first.isDone()).toArray(CompletableFuture<?>[]::new))
                    .exceptionally(_ -> null)
                    .join();
        }
        IOException failure = null;
        for (var first : firsts) {
            if (first.isDone()) {
                var reason = first.join();
                if (reason.isPresent() && (failure == null || isMistake(reason.get()))) {
                    failure = reason.get();
                }
            }
        }
        if (failure != null && (disks.all().isEmpty() || isMistake(failure))) {
            throw failure;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /// Completes with what went wrong at the first attempt.
    private CompletableFuture<Optional<IOException>> begin(Path folder) {
        var first = new CompletableFuture<Optional<IOException>>();
        Thread.ofPlatform().daemon().name("tarpon-open-disk").start(() -> {
            try {
                run(folder, first);
            } catch (RuntimeException | Error e) {
                first.completeExceptionally(e);
            }
        });
        return first;
    }

    private void run(Path folder, CompletableFuture<Optional<IOException>> first) {
        var pause = FIRST_PAUSE;
        while (true) {
            IOException failure;
            try {
                var disk = open(folder);
                if (closed.getCount() == 0) {
                    disk.close();
                    return;
                }
                disks.add(disk);
                first.complete(Optional.empty());
                return;
            } catch (IOException e) {
                failure = e;
            } catch (RuntimeException e) {
                // It may pass like any other, and must not take the disk for good.
                LOG.errorf(e, "data folder not opened dir=%s", folder);
                failure = new IOException(folder + " cannot be opened: " + e, e);
            }
            if (first.complete(Optional.of(failure))) {
                LOG.errorf(
                        "data folder cannot be opened, a node that has others goes on without it dir=%s reason=%s",
                        folder, failure);
            }
            if (isMistake(failure) || isClosedAfter(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    private Disk open(Path path) throws IOException {
        var folder = DataFolder.open(path, quarantineFiles);
        BlockIndex index = null;
        try {
            claim(folder);
            index = BlockIndex.open(indexes.resolve(folder.id()).toString());
            var disk = new Disk(folder, index, share);
            disk.shelf().reconcile();
            return disk;
        } catch (Throwable e) {
            if (index != null) {
                index.close();
            }
            folder.close();
            throw e;
        }
    }

    /// Each name once: a copied disk has that of another.
    private void claim(DataFolder folder) throws FolderInUseException {
        var other = named.putIfAbsent(folder.id(), folder.path());
        if (other != null && !other.equals(folder.path())) {
            throw new FolderInUseException(folder.path(), other);
        }
    }

    private boolean isClosedAfter(Duration pause) {
        try {
            return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// No waiting mends it.
    private static boolean isMistake(IOException e) {
        return e instanceof FolderInUseException
                || e instanceof UnknownFormatException
                || e instanceof CorruptFormatException;
    }
}
