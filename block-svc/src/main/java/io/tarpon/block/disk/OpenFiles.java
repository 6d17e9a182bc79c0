package io.tarpon.block.disk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
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
public final class OpenFiles implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(OpenFiles.class);

    private final DataDirs dirs;
    private final long lookNanos;
    private final Cache<BlockId, Held> files;

    /// @param most files open
    /// @param look time for which a file is believed to be the one of its name
    public OpenFiles(DataDirs dirs, int most, Duration look) {
        this.dirs = dirs;
        this.lookNanos = look.toNanos();
        this.files = Caffeine.newBuilder()
                .maximumSize(most)
                .executor(Runnable::run)
                .removalListener((@Nullable BlockId _, @Nullable Held held, RemovalCause _) -> release(held))
                .build();
    }

    /// The file if it is open and was looked at a moment ago, with a reference for the caller. Touches no disk.
    public Optional<BlockFile> cached(BlockId id) {
        return Optional.ofNullable(files.getIfPresent(id))
                .filter(held -> System.nanoTime() - held.lookedNanos < lookNanos)
                .map(held -> held.file)
                .filter(BlockFile::tryRetain);
    }

    /// The file, opened if need be, with a reference for the caller; empty where there is none.
    ///
    /// @throws IOException also where it is not what its name says
    public Optional<BlockFile> open(BlockId id) throws IOException {
        try {
            while (true) {
                var held = files.get(id, this::load);
                if (!isStill(held)) {
                    LOG.warnf("block file changed while it was open block=%s path=%s", id, held.file.path());
                    files.asMap().remove(id, held);
                } else if (held.file.tryRetain()) {
                    return Optional.of(held.file);
                }
            }
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return Optional.empty();
            }
            throw e.getCause();
        }
    }

    /// Takes over a reference to a file that was just written.
    ///
    /// @throws IOException where it is not there any more; the reference was given back
    public void add(BlockFile file) throws IOException {
        Held held;
        try {
            held = new Held(file, FileStamp.of(dirs.path(file.id())));
        } catch (IOException e) {
            file.release();
            throw e;
        }
        files.put(file.id(), held);
    }

    /// Forgets the file, so that the next reader opens and verifies it again.
    public void forget(BlockId id) {
        files.invalidate(id);
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
    }

    /// The stamp is taken first: a file that is replaced between the two does not fit it, and is opened again.
    private Held load(BlockId id) {
        try {
            var path = dirs.path(id);
            var stamp = FileStamp.of(path);
            return new Held(BlockFile.open(path, id), stamp);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isStill(Held held) throws IOException {
        var now = System.nanoTime();
        if (now - held.lookedNanos >= lookNanos) {
            try {
                if (!FileStamp.of(dirs.path(held.file.id())).equals(held.stamp)) {
                    return false;
                }
            } catch (NoSuchFileException e) {
                return false;
            }
            held.lookedNanos = now;
        }
        return true;
    }

    private static void release(@Nullable Held held) {
        try {
            if (held != null) {
                held.file.release();
            }
        } catch (IOException e) {
            LOG.warnf(e, "block file not closed block=%s", held.file.id());
        }
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
