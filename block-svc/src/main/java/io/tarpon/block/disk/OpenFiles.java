package io.tarpon.block.disk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.disk.BlockFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The block files held open, a bounded number of them, least recently used out first.
///
/// The cache holds one reference to each file and every caller one of its own, so a file that leaves the cache, or
/// is deleted, stays readable for whoever holds it.
public final class OpenFiles implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(OpenFiles.class);

    private final DataDirs dirs;
    private final Cache<BlockId, BlockFile> files;

    public OpenFiles(DataDirs dirs, int most) {
        this.dirs = dirs;
        this.files = Caffeine.newBuilder()
                .maximumSize(most)
                .executor(Runnable::run)
                .removalListener((@Nullable BlockId _, @Nullable BlockFile file, RemovalCause _) -> release(file))
                .build();
    }

    /// The file if it is open, with a reference for the caller. Touches no disk.
    public Optional<BlockFile> cached(BlockId id) {
        return Optional.ofNullable(files.getIfPresent(id)).filter(BlockFile::tryRetain);
    }

    /// The file, opened if need be, with a reference for the caller; empty where there is none.
    ///
    /// @throws IOException also where it is not what its name says
    public Optional<BlockFile> open(BlockId id) throws IOException {
        try {
            while (true) {
                var file = files.get(id, this::load);
                if (file.tryRetain()) {
                    return Optional.of(file);
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
    public void add(BlockFile file) {
        files.put(file.id(), file);
    }

    /// Forgets the file, so that the next reader opens and verifies it again.
    public void forget(BlockId id) {
        files.invalidate(id);
    }

    /// Whether somebody reads the file at this moment.
    public boolean inUse(BlockId id) {
        var file = files.policy().getIfPresentQuietly(id);
        return file != null && file.isShared();
    }

    /// How many files are open for readers to come.
    public long count() {
        return files.estimatedSize();
    }

    @Override
    public void close() {
        files.invalidateAll();
    }

    private BlockFile load(BlockId id) {
        try {
            return BlockFile.open(dirs.path(id), id);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void release(@Nullable BlockFile file) {
        try {
            if (file != null) {
                file.release();
            }
        } catch (IOException e) {
            LOG.warnf(e, "block file not closed block=%s", file.id());
        }
    }
}
