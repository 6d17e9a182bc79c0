package io.tarpon.block;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.disk.FoundBlock;
import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.util.List;

/// Brings the index of a folder in line with its block files, which are the truth: it may be new and empty, or a crash
/// came between the two. Files the index knows are not opened. The folder is asked under no lock.
final class Reconciliation {
    private static final int PAGE = 1_000;

    private final long nowMillis;
    private final DataFolder folder;
    private final BlockIndex index;
    private long added;
    private long forgotten;

    Reconciliation(long nowMillis, DataFolder folder, BlockIndex index) {
        this.nowMillis = nowMillis;
        this.folder = folder;
        this.index = index;
    }

    /// @throws io.tarpon.wire.format.UnknownFormatException where another build wrote a file; nothing of it is
    ///     changed
    void run() throws IOException {
        var last = new BlockId(0, 0);
        List<BlockEntry> page;
        do {
            page = index.after(last, PAGE);
            for (var entry : page) {
                last = entry.id();
                if (!folder.has(last)) {
                    index.remove(last);
                    forgotten++;
                }
            }
        } while (!page.isEmpty());
        folder.scan(this::found);
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
            var fileBytes = BlockFileHeader.BYTES + (long) folder.lengthOf(found.id());
            index.put(new BlockEntry(found.id(), fileBytes, nowMillis, false));
            added++;
        } catch (DamagedBlockException e) {
            folder.quarantine(found.id());
            index.remove(found.id());
        }
    }
}
