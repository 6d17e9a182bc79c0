package io.tarpon.block.disk;

import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.BlockFolder;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.BlockPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jboss.logging.Logger;

/// One folder of block files, which is one disk. Every call may wait for it, for as long as the disk likes.
///
/// The folder is locked by one process at a time, so that no second one clears away what the first is writing. One
/// that is removed while the node runs is made again, under its name, before the next block is written to it.
public final class DataFolder implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DataFolder.class);
    private static final String LOCK = ".lock";
    private static final String PROBE = ".probe";
    private static final String SUFFIX = ".blk";

    private final BlockFolder folder;
    private final Quarantine quarantine;
    private FileChannel lock;
    private volatile FileStore store;

    private DataFolder(BlockFolder folder, FileChannel lock, FileStore store, int quarantineFiles) {
        this.folder = folder;
        this.lock = lock;
        this.store = store;
        this.quarantine = new Quarantine(quarantineFiles);
    }

    /// Makes the folder where it is missing, locks it, gives it a name where it has none, and deletes what a crash
    /// left half written.
    ///
    /// @param path absolute
    /// @throws FolderInUseException where another process has it
    public static DataFolder open(Path path, int quarantineFiles) throws IOException {
        Files.createDirectories(path);
        var lock = lock(path);
        try {
            var folder = BlockFolder.named(path);
            var cleared = BlockFileWriter.clearTemporary(path);
            if (cleared > 0) {
                LOG.infof("unfinished block files deleted dir=%s files=%d", path, cleared);
            }
            return new DataFolder(folder, lock, Files.getFileStore(path), quarantineFiles);
        } catch (Throwable e) {
            lock.close();
            throw e;
        }
    }

    /// Its name for good.
    public String id() {
        return folder.id();
    }

    public Path path() {
        return folder.path();
    }

    /// Where the block's file is if it is here.
    public Path file(BlockId id) {
        return folder.file(id);
    }

    /// Whether the block has a file, of whatever content.
    public boolean has(BlockId id) {
        return Files.exists(file(id));
    }

    /// Makes the folder again if it was removed, with its lock and its name, and answers whether it was: then its
    /// blocks are gone. A disk that was unmounted leaves its mount point, which is such a folder: what is written
    /// to it is bounded by the reserve of the disk that it lies on.
    public synchronized boolean restore() throws IOException {
        if (Files.exists(path().resolve(LOCK))) {
            return false;
        }
        Files.createDirectories(path());
        var before = lock;
        lock = lock(path());
        close(before);
        folder.write();
        store = Files.getFileStore(path());
        LOG.errorf("data folder was removed and is made again dir=%s", path());
        return true;
    }

    /// Bytes that can still be written.
    public long usableBytes() throws IOException {
        return store.getUsableSpace();
    }

    /// A new file for a block, to be filled.
    public BlockFileWriter create(BlockFileHeader header) throws IOException {
        return BlockFileWriter.create(path(), header);
    }

    /// Afterwards there is no file of the block. Works on a full disk; who has it open keeps it.
    public void delete(BlockId id) throws IOException {
        Files.deleteIfExists(file(id));
    }

    /// Opens the block's file anew and reads all of it, as if for the first time.
    ///
    /// @throws IOException where the disk fails, or the file is of an unknown format: that says nothing about its
    ///     bytes
    public Soundness examine(BlockId id) throws IOException {
        BlockFile file;
        try {
            file = BlockFile.open(file(id), id);
        } catch (NoSuchFileException e) {
            return Soundness.MISSING;
        } catch (DamagedBlockException e) {
            LOG.warnf("block file is damaged block=%s reason=%s", id, e.getMessage());
            return Soundness.DAMAGED;
        }
        try {
            file.verify(0, file.length());
            return Soundness.SOUND;
        } catch (DamagedBlockException e) {
            LOG.warnf("block file is damaged block=%s reason=%s", id, e.getMessage());
            return Soundness.DAMAGED;
        } finally {
            file.release();
        }
    }

    /// Takes the block's file away from its name, and keeps it for a look.
    public void quarantine(BlockId id) throws IOException {
        quarantine.take(path(), file(id), id);
    }

    /// Visits every block file that lies at its place in this folder. Deletes nothing: what lies elsewhere is named in
    /// the log, and is the operator's.
    public void scan(FoundBlock.Visitor visitor) throws IOException {
        try (var folders = Files.newDirectoryStream(path(), "[0-9a-f][0-9a-f]")) {
            for (var below : folders) {
                scanFolder(below, visitor);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /// Length of the block in a file that [#scan] found, from its header.
    public int lengthOf(BlockId id) throws IOException {
        var file = BlockFile.open(file(id), id);
        try {
            return file.header().length();
        } finally {
            file.release();
        }
    }

    /// Asks the disk for something it can only do when it is well: to write a few bytes, and to say that it has them.
    public void probe() throws IOException {
        try (var channel =
                FileChannel.open(path().resolve(PROBE), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), 0);
            channel.force(true);
        }
    }

    @Override
    public synchronized void close() {
        close(lock);
    }

    private void scanFolder(Path below, FoundBlock.Visitor visitor) throws IOException {
        try (var files = Files.newDirectoryStream(below, "*" + SUFFIX)) {
            for (var path : files) {
                var name = path.getFileName().toString();
                var hex = name.substring(0, name.length() - SUFFIX.length());
                if (!hex.matches("[0-9a-f]{32}")
                        || !BlockPath.folder(BlockId.parse(hex))
                                .equals(below.getFileName().toString())) {
                    LOG.warnf("file is no block file, it is left alone path=%s", path);
                } else {
                    visitor.visit(new FoundBlock(BlockId.parse(hex), Files.size(path)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static FileChannel lock(Path dir) throws IOException {
        var channel = FileChannel.open(
                dir.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            LOG.debugf("folder is locked inside this process dir=%s", dir);
        }
        channel.close();
        throw new FolderInUseException(dir);
    }

    private static void close(FileChannel lock) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warnf(e, "folder lock not given back");
        }
    }

    /// What [#examine] found.
    public enum Soundness {
        SOUND,
        DAMAGED,
        MISSING
    }
}
