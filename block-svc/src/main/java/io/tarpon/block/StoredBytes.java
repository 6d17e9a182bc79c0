package io.tarpon.block;

import io.netty.channel.FileRegion;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockRegion;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.PageCache;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/// A block that is here. What was not read since its file was opened is verified on a thread of its disk, all of the
/// asked range before its first byte goes out, so that damage can still be mended unseen. What was verified long ago
/// is read once more there, since `sendfile` of bytes that left the page cache would hold up the whole event loop:
/// for the time that a disk takes, and for as long as it hangs.
final class StoredBytes implements BlockBytes {
    private final BlockFile file;
    private final Disk disk;

    /// Takes over a reference to the file.
    StoredBytes(BlockFile file, Disk disk) {
        this.file = file;
        this.disk = disk;
    }

    Disk disk() {
        return disk;
    }

    @Override
    public long length() {
        return file.length();
    }

    @Override
    public boolean hit() {
        return true;
    }

    @Override
    public CompletionStage<Long> readable(long from, long to) {
        if (disk.answers() && !file.isWhole()) {
            return CompletableFuture.failedFuture(new DamagedBlockException(
                    file.path(), DamagedBlockException.WHOLE_FILE, "its length changed while it was open"));
        }
        var verified = file.isVerified(from, to);
        if (verified && file.isWarm(from, to) && disk.answers()) {
            return CompletableFuture.completedFuture(to);
        }
        // A reference of its own, for as long as a thread is in the disk: the response may end long before. The turn
        // says who gives it back, the thread, or we where none takes it any more.
        file.retain();
        var turn = new AtomicBoolean();
        return disk.reading()
                .submit(() -> read(from, to, verified, turn), _ -> {})
                .whenComplete((_, failure) -> {
                    if (failure != null && turn.compareAndSet(false, true)) {
                        file.release();
                    }
                });
    }

    private Long read(long from, long to, boolean verified, AtomicBoolean turn) throws IOException {
        if (!turn.compareAndSet(false, true)) {
            return to;
        }
        try {
            if (verified) {
                PageCache.warm(file, from, to);
            } else {
                file.verify(from, to);
            }
            return to;
        } finally {
            file.release();
        }
    }

    @Override
    public FileRegion region(long from, long to) {
        return new BlockRegion(file.retain(), from, to);
    }

    @Override
    public void release() {
        file.release();
    }
}
