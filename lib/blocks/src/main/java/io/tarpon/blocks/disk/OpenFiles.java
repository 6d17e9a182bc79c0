package io.tarpon.blocks.disk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The block files held open, a bounded number of them, least recently used out first.
///
/// The cache holds one reference to each file and every caller one of its own, so a file that leaves the cache, or
/// is deleted, stays readable for whoever holds it.
///
/// A file that others removed, replaced or wrote to while it is open is noticed by a look at its name, at most one
/// interval after the last: it is then opened and verified like one that was never open.
///
/// Threads: any. No disk is touched under a lock of the cache, so that a file on a disk that hangs holds up nobody who
/// wants another. Two threads that open one file at once both get theirs; the second takes the place. What leaves the
/// cache is closed where its opener said ([BlockFile#closedOn]).
public final class OpenFiles implements AutoCloseable {
    /// Files stay open while they are among those used last, and are believed to be the ones of their names.
    public static final Duration FOR_GOOD = Duration.ofNanos(Long.MAX_VALUE);

    private static final Logger LOG = Logger.getLogger(OpenFiles.class);

    private final long lookNanos;
    private final Cache<BlockId, Held> files;

    /// @param most files open
    /// @param idle time after which a file nobody used is closed, so that one that was deleted frees its disk
    /// @param look time for which a file is believed to be the one of its name
    public OpenFiles(int most, Duration idle, Duration look) {
        this.lookNanos = look.toNanos();
        var cache = Caffeine.newBuilder()
                .maximumSize(most)
                // Its housekeeping is short, and comes often: waking another thread for it costs more.
                .executor(Runnable::run)
                .<BlockId, Held>removalListener((@Nullable BlockId _, @Nullable Held held, RemovalCause _) -> {
                    if (held != null) {
                        held.file.release();
                    }
                });
        this.files = idle.equals(FOR_GOOD)
                ? cache.build()
                : cache.expireAfterAccess(idle)
                        .scheduler(Scheduler.systemScheduler())
                        .build();
    }

    /// The file if it is open and was looked at a moment ago, with a reference for the caller. Touches no disk.
    public Optional<BlockFile> cached(BlockId id) {
        var held = files.getIfPresent(id);
        return held != null && System.nanoTime() - held.lookedNanos < lookNanos && held.file.tryRetain()
                ? Optional.of(held.file)
                : Optional.empty();
    }

    /// The file if it is open and still the one of its name, else opened, with a reference for the caller. Waits for
    /// the disk.
    ///
    /// @param path where the file lies
    /// @throws NoSuchFileException where there is none
    /// @throws IOException also where it is not what its name says
    public BlockFile open(BlockId id, Path path, Opener opener) throws IOException {
        var held = files.getIfPresent(id);
        if (held != null) {
            if (isStill(held) && held.file.tryRetain()) {
                return held.file;
            }
            files.asMap().remove(id, held);
        }
        // The stamp comes first: a file that is replaced between the two does not fit it, and is opened again.
        var stamp = FileStamp.of(path);
        return keep(opener.open(path), stamp);
    }

    /// Takes over a reference to a file that was just written.
    ///
    /// @throws IOException where it is not there any more; the reference was given back
    public void add(BlockFile file) throws IOException {
        try {
            var _ = keep(file, FileStamp.of(file.path()));
        } finally {
            file.release();
        }
    }

    /// Forgets the file, so that the next reader opens and verifies it again.
    public void forget(BlockId id) {
        files.invalidate(id);
    }

    /// The same unless another file has taken its place.
    public void forget(BlockFile file) {
        var held = files.policy().getIfPresentQuietly(file.id());
        if (held != null && held.file == file) {
            files.asMap().remove(file.id(), held);
        }
    }

    /// Whether somebody reads the file at this moment.
    public boolean inUse(BlockId id) {
        var held = files.policy().getIfPresentQuietly(id);
        return held != null && held.file.isShared();
    }

    /// How many files are open for readers to come.
    public long count() {
        return files.estimatedSize();
    }

    @Override
    public void close() {
        files.invalidateAll();
        files.cleanUp();
    }

    private BlockFile keep(BlockFile file, FileStamp stamp) {
        files.put(file.id(), new Held(file.retain(), stamp));
        return file;
    }

    private boolean isStill(Held held) throws IOException {
        var now = System.nanoTime();
        if (now - held.lookedNanos < lookNanos) {
            return true;
        }
        try {
            if (FileStamp.of(held.file.path()).equals(held.stamp)) {
                held.lookedNanos = now;
                return true;
            }
        } catch (NoSuchFileException e) {
            LOG.debugf("block file was removed while it was open block=%s", held.file.id());
        }
        LOG.warnf("block file changed while it was open block=%s path=%s", held.file.id(), held.file.path());
        return false;
    }

    /// Opens a file where it lies.
    @FunctionalInterface
    public interface Opener {
        BlockFile open(Path path) throws IOException;
    }

    /// A file, what it looked like when it was opened, and when it last looked like that.
    private static final class Held {
        final BlockFile file;
        final FileStamp stamp;
        volatile long lookedNanos = System.nanoTime();

        Held(BlockFile file, FileStamp stamp) {
            this.file = file;
            this.stamp = stamp;
        }
    }
}
