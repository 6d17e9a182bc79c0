package io.tarpon.block;

import io.netty.channel.FileRegion;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockRegion;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.PageCache;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// A block that is here. What was not read since its file was opened is verified on the pool, all of the asked
/// range before its first byte goes out, so that damage can still be mended unseen. What was verified long ago
/// is read once more there, since `sendfile` of bytes that left the page cache would hold up the whole event
/// loop.
final class StoredBytes implements BlockBytes {
    private final BlockFile file;
    private final boolean warm;
    private final BoundedPool pool;

    /// Takes over a reference to the file.
    ///
    /// @param warm its bytes were read a moment ago
    StoredBytes(BlockFile file, boolean warm, BoundedPool pool) {
        this.file = file;
        this.warm = warm;
        this.pool = pool;
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
        if (!file.isWhole()) {
            return CompletableFuture.failedFuture(new DamagedBlockException(
                    file.path(), DamagedBlockException.WHOLE_FILE, "its length changed while it was open"));
        }
        var verified = file.isVerified(from, to);
        if (verified && warm) {
            return CompletableFuture.completedFuture(to);
        }
        file.retain();
        return pool.submit(() -> {
                    if (verified) {
                        PageCache.warm(file, from, to);
                    } else {
                        file.verify(from, to);
                    }
                    return to;
                })
                .whenComplete((end, failure) -> release());
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
