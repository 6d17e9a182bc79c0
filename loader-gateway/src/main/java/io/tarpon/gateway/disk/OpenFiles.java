package io.tarpon.gateway.disk;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.gateway.body.Piece;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.BlockPath;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Block files that are open, a bounded number of them; one that nobody used for a while is closed, so that a file its
/// node deleted frees its disk.
///
/// Threads: any. The cache holds one reference of each file, and so does each user: a file that leaves the cache stays
/// open for those who use it. Two threads that open one file at once both get theirs; the second takes the place.
public final class OpenFiles implements AutoCloseable {
    private final Cache<BlockId, BlockFile> files;

    public OpenFiles(int most, Duration idle) {
        this.files = Caffeine.newBuilder()
                // Its housekeeping is short, and comes often: waking another thread for it costs more.
                .executor(Runnable::run)
                .maximumSize(most)
                .expireAfterAccess(idle)
                .scheduler(Scheduler.systemScheduler())
                .<BlockId, BlockFile>removalListener((_, file, _) -> {
                    if (file != null) {
                        RegionChunk.giveBack(file);
                    }
                })
                .build();
    }

    /// The file if it is open, with a reference for the caller.
    Optional<BlockFile> held(BlockId id) {
        var file = files.getIfPresent(id);
        return file != null && file.tryRetain() ? Optional.of(file) : Optional.empty();
    }

    /// Opens the file where the node said its files lie, with a reference for the caller. Blocks.
    ///
    /// @throws java.nio.file.NoSuchFileException where it is not there
    /// @throws io.tarpon.blocks.disk.DamagedBlockException where it is not the block that was sealed
    BlockFile open(NodeRecord node, Piece.OfBlock piece) throws IOException {
        var id = piece.blockId();
        var dirs = node.registration().dataDirs();
        var path = Path.of(dirs.get(BlockPath.dataDir(id, dirs.size()))).resolve(BlockPath.relative(id));
        var file = BlockFile.open(path, BlockFileHeader.of(piece.layout(), piece.block()));
        files.put(id, file.retain());
        return file;
    }

    /// Forgets a file that turned out to be damaged.
    void forget(BlockFile file) {
        files.asMap().remove(file.id(), file);
    }

    @Override
    public void close() {
        files.invalidateAll();
        files.cleanUp();
    }
}
