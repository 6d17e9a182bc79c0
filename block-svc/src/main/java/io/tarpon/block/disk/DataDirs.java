package io.tarpon.block.disk;

import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.BlockPath;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/// The folders that hold the block files, one per disk. A block's path is a function of its id and their number.
///
/// Each folder is locked by one process at a time, so that no second one clears away what the first is writing. One
/// that is removed while the node runs is made again before the next block is written to it.
public final class DataDirs implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DataDirs.class);
    private static final String LOCK = ".lock";

    private final List<Path> dirs;
    private final List<FileChannel> locks;
    private final Quarantine quarantine;

    private DataDirs(List<Path> dirs, List<FileChannel> locks, int quarantineFiles) {
        this.dirs = List.copyOf(dirs);
        this.locks = locks;
        this.quarantine = new Quarantine(quarantineFiles);
    }

    /// Makes folders that are missing, locks all of them, and deletes what a crash left half written.
    public static DataDirs open(List<Path> dirs, int quarantineFiles) throws IOException {
        var locks = new ArrayList<FileChannel>();
        var absolute =
                dirs.stream().map(dir -> dir.toAbsolutePath().normalize()).toList();
        if (absolute.isEmpty() || absolute.stream().distinct().count() != absolute.size()) {
            throw new IllegalArgumentException("tarpon.block.data-dirs names no folder, or one twice: " + dirs);
        }
        try {
            for (var dir : absolute) {
                Files.createDirectories(dir);
                locks.add(lock(dir));
                var cleared = BlockFileWriter.clearTemporary(dir);
                if (cleared > 0) {
                    LOG.infof("unfinished block files deleted dir=%s files=%d", dir, cleared);
                }
            }
        } catch (Throwable e) {
            close(locks);
            throw e;
        }
        return new DataDirs(absolute, locks, quarantineFiles);
    }

    /// Absolute, in the order that blocks are spread over.
    public List<Path> all() {
        return dirs;
    }

    /// The folder of a block's disk.
    public Path dir(BlockId id) {
        return dirs.get(number(id));
    }

    public int number(BlockId id) {
        return BlockPath.dataDir(id, dirs.size());
    }

    /// Where the block's file is if it is here.
    public Path path(BlockId id) {
        return dir(id).resolve(BlockPath.relative(id));
    }

    /// Whether the block has a file, of whatever content.
    public boolean has(BlockId id) {
        return Files.isRegularFile(path(id));
    }

    /// Makes the block's folder again if it was removed, with its lock, and answers whether it was: then its blocks
    /// are gone. A disk that was unmounted leaves its mount point, which is such a folder: what is written to it is
    /// bounded by the reserve of the disk that it lies on.
    public synchronized boolean restore(BlockId id) throws IOException {
        var number = number(id);
        var dir = dirs.get(number);
        if (Files.exists(dir.resolve(LOCK))) {
            return false;
        }
        Files.createDirectories(dir);
        close(List.of(locks.set(number, lock(dir))));
        LOG.errorf("data folder was removed and is made again dir=%s", dir);
        return true;
    }

    /// Bytes that can still be written to the block's disk.
    public long usableBytes(BlockId id) throws IOException {
        return Files.getFileStore(dir(id)).getUsableSpace();
    }

    /// A new file for a block, to be filled.
    public BlockFileWriter create(BlockFileHeader header) throws IOException {
        return BlockFileWriter.create(dir(header.id()), header);
    }

    /// Afterwards there is no file of the block. Works on a full disk; who has it open keeps it.
    public void delete(BlockId id) throws IOException {
        Files.deleteIfExists(path(id));
    }

    /// Opens the block's file anew and reads all of it, as if for the first time.
    ///
    /// @throws IOException where the file cannot be opened, or is of an unknown format: that says nothing about its
    ///     bytes
    public Soundness examine(BlockId id) throws IOException {
        BlockFile file;
        try {
            file = BlockFile.open(path(id), id);
        } catch (NoSuchFileException e) {
            return Soundness.MISSING;
        } catch (DamagedBlockException e) {
            LOG.warnf("block file is damaged block=%s reason=%s", id, e.getMessage());
            return Soundness.DAMAGED;
        }
        try {
            file.verify(0, file.length());
            return Soundness.SOUND;
        } catch (IOException e) {
            LOG.warnf("block file is damaged block=%s reason=%s", id, e.getMessage());
            return Soundness.DAMAGED;
        } finally {
            file.release();
        }
    }

    /// Takes the block's file away from its name, and keeps it for a look.
    public void quarantine(BlockId id) throws IOException {
        quarantine.take(dir(id), path(id), id);
    }

    /// Visits every block file at the place where its block belongs, and deletes block files that lie anywhere
    /// else, which nobody would ever find.
    public void scan(FoundBlock.Visitor visitor) throws IOException {
        for (var dir : dirs) {
            try (var folders = Files.newDirectoryStream(dir, "[0-9a-f][0-9a-f]")) {
                for (var folder : folders) {
                    scanFolder(folder, visitor);
                }
            }
        }
    }

    /// Length of the block in a file that [#scan] found, from its header.
    public int lengthOf(BlockId id) throws IOException {
        var file = BlockFile.open(path(id), id);
        try {
            return file.header().length();
        } finally {
            file.release();
        }
    }

    @Override
    public synchronized void close() {
        close(locks);
    }

    private void scanFolder(Path folder, FoundBlock.Visitor visitor) throws IOException {
        try (var files = Files.newDirectoryStream(folder, "*.blk")) {
            for (var path : files) {
                var name = path.getFileName().toString();
                var hex = name.substring(0, name.length() - ".blk".length());
                if (!hex.matches("[0-9a-f]{32}")) {
                    LOG.warnf("file is no block file path=%s", path);
                } else if (path.equals(path(BlockId.parse(hex)))) {
                    visitor.visit(new FoundBlock(BlockId.parse(hex), Files.size(path)));
                } else {
                    Files.delete(path);
                    LOG.warnf("block file in the wrong place deleted path=%s", path);
                }
            }
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
        throw new IOException("data folder " + dir + " is in use by another block service; stop it, or set"
                + " tarpon.block.data-dirs to another folder");
    }

    private static void close(List<FileChannel> locks) {
        for (var lock : locks) {
            try {
                lock.close();
            } catch (IOException e) {
                LOG.warnf(e, "folder lock not given back");
            }
        }
    }

    /// What [#examine] found.
    public enum Soundness {
        SOUND,
        DAMAGED,
        MISSING
    }
}
