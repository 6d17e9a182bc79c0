package io.tarpon.blocks.disk;

import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.format.CorruptFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;
import org.jboss.logging.Logger;

/// An open block file, shared by any number of threads. Offsets are bytes of the block, from 0; in the file they lie
/// behind [#dataOffset]. A byte may be handed out once its sub-block is verified, which is done once per open file.
///
/// Threads: the set of verified sub-blocks only grows, and a bit is set after its bytes were read and checked; two
/// threads that check the same sub-block both set the same bit. The file is immutable, and stays readable through an
/// open channel after it is deleted or renamed. Danger: a thread that is interrupted while it reads closes the channel
/// for everybody ([java.nio.channels.ClosedByInterruptException]); readers of shared files must not be interrupted.
///
/// Life: opened with one reference, closed when the last is released. Closing the last descriptor of a deleted file
/// frees its space on the disk, which may take its time, so it happens on the executor that [#closedOn] names.
public final class BlockFile {
    private static final Logger LOG = Logger.getLogger(BlockFile.class);
    private static final long LOOK_NANOS = 50_000_000;

    private final FileChannel channel;
    private final BlockFileHeader header;
    private final AtomicLongArray verified;
    private final RecentReads recent;
    private final AtomicInteger references = new AtomicInteger(1);
    private volatile Path path;
    private volatile Executor closer = Runnable::run;

    /// When it was last seen to be whole.
    private volatile long lookedAt = System.nanoTime();

    BlockFile(Path path, FileChannel channel, BlockFileHeader header) {
        this.path = path;
        this.channel = channel;
        this.header = header;
        this.verified = new AtomicLongArray((header.subBlockCount() + 63) >>> 6);
        this.recent = new RecentReads(header.subBlockCount(), System.nanoTime());
    }

    /// Opens the file of a block; the header must be whole and of that block, the length as it says.
    ///
    /// @throws DamagedBlockException where it is not the block's file
    /// @throws io.tarpon.wire.format.UnknownFormatException where another build wrote it
    /// @throws java.nio.file.NoSuchFileException where it is not there
    public static BlockFile open(Path path, BlockId id) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            BlockFileHeader header = readHeader(path, channel);
            if (!header.id().equals(id)) {
                throw damaged(path, "it holds block " + header.id() + ", not " + id);
            }
            if (channel.size() != header.fileBytes()) {
                throw damaged(path, "it has " + channel.size() + " bytes, not " + header.fileBytes());
            }
            return new BlockFile(path, channel, header);
        } catch (Throwable e) {
            channel.close();
            throw e;
        }
    }

    /// Opens the file of a block, which must also have the checksums that the shard was sealed with.
    ///
    /// @param expected the header made from the shard's index
    public static BlockFile open(Path path, BlockFileHeader expected) throws IOException {
        BlockFile file = open(path, expected.id());
        if (!file.header.equals(expected)) {
            file.release();
            throw damaged(path, "its checksums are not those of the shard's index");
        }
        return file;
    }

    /// Whether every sub-block that `[from, to)` touches is verified.
    public boolean isVerified(long from, long to) {
        requireRange(from, to);
        for (int i = subBlock(from); from < to && i <= subBlock(to - 1); i++) {
            if (!isVerified(i)) {
                return false;
            }
        }
        return true;
    }

    /// Whether all of `[from, to)` was read or written a moment ago by this process, so that it is in the page cache if
    /// there is room at all: `sendfile` of anything else waits for the disk.
    public boolean isWarm(long from, long to) {
        requireRange(from, to);
        return from == to || recent.has(subBlock(from), subBlock(to - 1), System.nanoTime());
    }

    /// `[from, to)` was read just now.
    void warmed(long from, long to) {
        if (from < to) {
            recent.add(subBlock(from), subBlock(to - 1), System.nanoTime());
        }
    }

    /// Reads and checks what is not yet verified of the sub-blocks that `[from, to)` touches.
    ///
    /// @throws DamagedBlockException where one does not match; those before it are verified
    public void verify(long from, long to) throws IOException {
        if (!isVerified(from, to)) {
            verify(from, to, ByteBuffer.allocate(header.subBlockBytes()));
        }
    }

    /// The same through a buffer of the caller's, cleared and used, of at least [BlockFileHeader#subBlockBytes].
    public void verify(long from, long to, ByteBuffer scratch) throws IOException {
        requireRange(from, to);
        for (int i = subBlock(from); from < to && i <= subBlock(to - 1); i++) {
            if (!isVerified(i)) {
                verifySubBlock(i, scratch);
            }
        }
    }

    /// Reads into the buffer's remaining space from `position` of the block, after verification of that range.
    public void read(ByteBuffer target, long position) throws IOException {
        verify(position, position + target.remaining());
        readFully(target, position);
    }

    /// The file, for [FileChannel#transferTo] and `sendfile` of what is verified.
    public FileChannel channel() {
        return channel;
    }

    /// Where the block begins in the file.
    public long dataOffset() {
        return BlockFileHeader.BYTES;
    }

    public BlockFileHeader header() {
        return header;
    }

    public BlockId id() {
        return header.id();
    }

    /// Bytes of the block.
    public long length() {
        return header.length();
    }

    /// Where the file is, or was when last heard of.
    public Path path() {
        return path;
    }

    /// Takes one more reference; the caller holds one already.
    public BlockFile retain() {
        if (!tryRetain()) {
            throw new IllegalStateException("block file " + path + " is closed");
        }
        return this;
    }

    /// Takes one more reference unless the file is closed: for caches whose entry may be leaving at this moment.
    public boolean tryRetain() {
        int held = references.get();
        while (held > 0 && !references.compareAndSet(held, held + 1)) {
            held = references.get();
        }
        return held > 0;
    }

    /// Whether the open file still has all its bytes. One that others cut while it is open fails every later
    /// `sendfile`, so ask before; it costs one look at the file, and reads nothing.
    public boolean isWhole() {
        try {
            long now = System.nanoTime();
            boolean whole = channel.size() == header.fileBytes();
            if (whole) {
                lookedAt = now;
            }
            return whole;
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether a look a moment ago found it whole. Looks at nothing, so that it waits for no disk and costs small
    /// reads little: a look for each would be a tenth of sending them.
    public boolean wasWhole() {
        return System.nanoTime() - lookedAt < LOOK_NANOS;
    }

    /// Whether more than one reference is held at this moment: somebody uses the file beside the cache that keeps it
    /// open.
    public boolean isShared() {
        return references.get() > 1;
    }

    /// Has the file closed on this executor, for holders that must not wait for a disk. The releasing thread does it
    /// where the executor takes nothing any more.
    public BlockFile closedOn(Executor executor) {
        closer = executor;
        return this;
    }

    /// Gives a reference back; the last one has the file closed.
    public void release() {
        int left = references.decrementAndGet();
        if (left < 0) {
            references.incrementAndGet();
            throw new IllegalStateException("block file " + path + " was released once too often");
        }
        if (left == 0) {
            try {
                closer.execute(this::close);
            } catch (RejectedExecutionException e) {
                close();
            }
        }
    }

    void markVerified(int subBlock) {
        verified.accumulateAndGet(subBlock >>> 6, 1L << subBlock, (held, bit) -> held | bit);
        recent.add(subBlock, subBlock, System.nanoTime());
    }

    void movedTo(Path newPath) {
        path = newPath;
    }

    /// What was written is on the disk or given up by now, so a failure here takes nothing away.
    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warnf(e, "block file not closed path=%s", path);
        }
    }

    private boolean isVerified(int subBlock) {
        return (verified.get(subBlock >>> 6) & 1L << subBlock) != 0;
    }

    private void verifySubBlock(int subBlock, ByteBuffer scratch) throws IOException {
        scratch.clear().limit(header.subBlockLength(subBlock));
        readFully(scratch, (long) subBlock * header.subBlockBytes());
        CRC32C crc = new CRC32C();
        crc.update(scratch.flip());
        if ((int) crc.getValue() != header.subBlockCrc(subBlock)) {
            throw new DamagedBlockException(path, subBlock, "its CRC-32C does not match");
        }
        markVerified(subBlock);
    }

    private void readFully(ByteBuffer target, long position) throws IOException {
        long at = dataOffset() + position;
        while (target.hasRemaining()) {
            int read = channel.read(target, at);
            if (read < 0) {
                throw new DamagedBlockException(path, subBlock(at - dataOffset()), "the file is cut there");
            }
            at += read;
        }
    }

    private int subBlock(long offset) {
        return (int) (offset / header.subBlockBytes());
    }

    private void requireRange(long from, long to) {
        if (from < 0 || from > to || to > header.length()) {
            throw new IndexOutOfBoundsException(
                    "[" + from + ", " + to + ") is outside block " + id() + " of " + header.length());
        }
    }

    private static BlockFileHeader readHeader(Path path, FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BlockFileHeader.BYTES);
        while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
            // until the header is whole or the file ends
        }
        if (bytes.hasRemaining()) {
            throw damaged(path, "its header is cut at " + bytes.position() + " bytes");
        }
        try {
            return BlockFileHeader.decode(path.toString(), bytes.array());
        } catch (CorruptFormatException e) {
            DamagedBlockException damaged = damaged(path, String.valueOf(e.getMessage()));
            damaged.initCause(e);
            throw damaged;
        }
    }

    private static DamagedBlockException damaged(Path path, String reason) {
        return new DamagedBlockException(path, DamagedBlockException.WHOLE_FILE, reason);
    }
}
