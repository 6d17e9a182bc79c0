package io.tarpon.blocks.disk;

import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/// Fills a block file from a stream. What it must be is known from the shard's index before the first byte
/// comes, so each sub-block is checked when it is complete, and from then on readers may read it through
/// [#file], before the file is durable and before it has its name.
///
/// Owned by one thread at a time; [#file] and [#verifiedBytes] are for any thread. Crash points: before the rename the
/// file lies in `tmp/` and [#clearTemporary] deletes it at the next start; after the rename, before the directory is
/// synced, a power cut may lose the name, and the block is filled again. At its final name a file is always whole,
/// because its bytes are synced before the rename. A failed sync is not tried again: the file is lost.
public final class BlockFileWriter implements AutoCloseable {
    private static final String TEMPORARY = "tmp";
    private static final AtomicLong NEXT = new AtomicLong();

    private final Path dataDir;
    private final BlockFile file;
    private final CRC32C crc = new CRC32C();
    private int subBlock;
    private int subBlockFilled;
    private boolean done;
    private volatile long verifiedBytes;

    private BlockFileWriter(Path dataDir, BlockFile file) {
        this.dataDir = dataDir;
        this.file = file;
    }

    /// Begins a file below `<dataDir>/tmp`, its header written. The directory `dataDir` exists.
    ///
    /// @throws IOException also where the disk is full; nothing is left behind then
    public static BlockFileWriter create(Path dataDir, BlockFileHeader header) throws IOException {
        DirectorySync.create(dataDir.resolve(TEMPORARY));
        Path path = dataDir.resolve(TEMPORARY).resolve(header.id() + "." + NEXT.getAndIncrement());
        FileChannel channel = open(path);
        try {
            writeFully(channel, ByteBuffer.wrap(header.encode()), 0);
            return new BlockFileWriter(dataDir, new BlockFile(path, channel, header));
        } catch (Throwable e) {
            channel.close();
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /// Appends the buffer's remaining bytes to the block.
    ///
    /// @throws DamagedBlockException where a sub-block does not match what the shard was sealed with, or bytes come
    ///     after the block's end: the bytes came damaged, and no later one is taken. Then [#rewind] or [#close]
    public void write(ByteBuffer bytes) throws IOException {
        int limit = bytes.limit();
        while (bytes.hasRemaining()) {
            if (subBlock == file.header().subBlockCount()) {
                throw damaged("bytes after the end of the block");
            }
            int missing = file.header().subBlockLength(subBlock) - subBlockFilled;
            bytes.limit(bytes.position() + Math.min(missing, bytes.remaining()));
            append(bytes);
            bytes.limit(limit);
        }
    }

    /// Forgets what came after the last checked sub-block: the next write continues at [#verifiedBytes]. For another
    /// source, after one that broke off or sent damaged bytes.
    public void rewind() {
        crc.reset();
        subBlockFilled = 0;
    }

    /// The file as readers see it, before and after [#commit]. They retain and release it, and read what
    /// [BlockFile#isVerified] says.
    public BlockFile file() {
        return file;
    }

    /// Bytes from the block's start that are written and checked.
    public long verifiedBytes() {
        return verifiedBytes;
    }

    /// Makes the whole block durable under its name. Slow: it waits for the disk. The writer's reference to the file
    /// passes to the caller.
    ///
    /// @throws IOException where that is not certain: the file may or may not be there, and whole if it is
    public BlockFile commit() throws IOException {
        if (done || verifiedBytes != file.length()) {
            throw new IllegalStateException(
                    "block " + file.id() + " has " + verifiedBytes + " of " + file.length() + " bytes");
        }
        Path folder = dataDir.resolve(BlockPath.folder(file.id()));
        Path target = dataDir.resolve(BlockPath.relative(file.id()));
        file.channel().force(true);
        DirectorySync.create(folder);
        Files.move(file.path(), target, StandardCopyOption.ATOMIC_MOVE);
        file.movedTo(target);
        DirectorySync.sync(folder);
        done = true;
        return file;
    }

    /// Deletes the file and gives the writer's reference back, unless it was committed. Readers that hold the file keep
    /// what is verified.
    @Override
    public void close() throws IOException {
        if (done) {
            return;
        }
        done = true;
        try {
            Files.deleteIfExists(file.path());
        } finally {
            file.release();
        }
    }

    /// Deletes what a crash left below `<dataDir>/tmp`, and returns how many files. No writer is at work.
    public static int clearTemporary(Path dataDir) throws IOException {
        int cleared = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(dataDir.resolve(TEMPORARY))) {
            for (Path path : files) {
                Files.delete(path);
                cleared++;
            }
        } catch (NoSuchFileException e) {
            return 0;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return cleared;
    }

    private void append(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        crc.update(bytes.duplicate());
        writeFully(file.channel(), bytes, file.dataOffset() + start() + subBlockFilled);
        subBlockFilled += length;
        if (subBlockFilled == file.header().subBlockLength(subBlock)) {
            endSubBlock();
        }
    }

    private void endSubBlock() throws IOException {
        if ((int) crc.getValue() != file.header().subBlockCrc(subBlock)) {
            throw damaged("bytes came whose CRC-32C does not match");
        }
        crc.reset();
        file.markVerified(subBlock);
        verifiedBytes = start() + subBlockFilled;
        subBlock++;
        subBlockFilled = 0;
    }

    private long start() {
        return (long) subBlock * file.header().subBlockBytes();
    }

    private DamagedBlockException damaged(String reason) {
        return new DamagedBlockException(file.path(), subBlock, reason);
    }

    private static FileChannel open(Path path) throws IOException {
        try {
            return FileChannel.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(
                    path.toString(), null, "left by an earlier process: clear the temporary folder at start");
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }
}
