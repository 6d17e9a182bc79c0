package io.tarpon.block;

import io.tarpon.block.disk.DataDirs;
import io.tarpon.block.disk.FoundBlock;
import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.wire.block.BlockFileHeader;
import java.io.IOException;

/// Brings the index in line with the block files, which are the truth: it may be new and empty, or a crash came
/// between the two. Files the index knows are not opened.
final class Reconciliation {
    private final long nowMillis;
    private final DataDirs dirs;
    private final BlockIndex index;
    private long added;
    private long forgotten;

    Reconciliation(long nowMillis, DataDirs dirs, BlockIndex index) {
        this.nowMillis = nowMillis;
        this.dirs = dirs;
        this.index = index;
    }

    /// @throws io.tarpon.wire.format.UnknownFormatException where another build wrote a file; nothing of it is
    ///     changed
    void run() throws IOException {
        index.leastRecentlyUsed(entry -> {
            if (!dirs.has(entry.id())) {
                index.remove(entry.id());
                forgotten++;
            }
            return true;
        });
        dirs.scan(this::found);
    }

    long added() {
        return added;
    }

    long forgotten() {
        return forgotten;
    }

    private void found(FoundBlock found) throws IOException {
        var entry = index.get(found.id());
        if (entry.isPresent() && entry.get().fileBytes() == found.fileBytes()) {
            return;
        }
        try {
            var fileBytes = BlockFileHeader.BYTES + (long) dirs.lengthOf(found.id());
            index.put(new BlockEntry(found.id(), fileBytes, dirs.number(found.id()), nowMillis, false));
            added++;
        } catch (DamagedBlockException e) {
            dirs.quarantine(found.id());
            index.remove(found.id());
        }
    }
}
