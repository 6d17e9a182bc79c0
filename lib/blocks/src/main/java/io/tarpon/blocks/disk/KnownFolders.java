package io.tarpon.blocks.disk;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jboss.logging.Logger;

/// Finds block files in the folders of nodes on this host as the nodes do, by the folders' names, which it reads
/// now and then: a disk that was changed for another is noticed within an interval.
///
/// Threads: any. One folder is read by several at once where it is new to all of them; no lock is held meanwhile.
public final class KnownFolders {
    private static final Logger LOG = Logger.getLogger(KnownFolders.class);

    /// Where a block is looked for: where it belongs, and where it belonged before the last folder was added.
    private static final int PLACES = 2;

    /// A bound for a list that others send.
    private static final int MOST_FOLDERS = 4096;

    private final long lookNanos;
    private final ConcurrentMap<Path, Known> known = new ConcurrentHashMap<>();

    /// @param look time for which a folder is believed to have the name that it had
    public KnownFolders(Duration look) {
        this.lookNanos = look.toNanos();
    }

    /// Where the block's file may lie, the best place first; empty where no folder can be read. Waits for the disks.
    ///
    /// @param folders of one node, as it registered them
    public List<Path> places(List<String> folders, BlockId block) {
        var named = new ArrayList<BlockFolder>();
        for (var folder : folders) {
            var name = name(Path.of(folder));
            if (!name.isEmpty() && named.stream().noneMatch(other -> other.id().equals(name))) {
                named.add(new BlockFolder(Path.of(folder), name));
            }
        }
        if (named.isEmpty()) {
            return List.of();
        }
        return BlockFolder.ranked(block, named).stream()
                .limit(PLACES)
                .map(folder -> folder.file(block))
                .toList();
    }

    private String name(Path folder) {
        var now = System.nanoTime();
        var before = known.get(folder);
        if (before != null && now - before.readNanos < lookNanos) {
            return before.id;
        }
        var id = read(folder);
        if (known.size() >= MOST_FOLDERS) {
            known.clear();
        }
        known.put(folder, new Known(id, now));
        return id;
    }

    private static String read(Path folder) {
        try {
            return BlockFolder.read(folder).id();
        } catch (IOException e) {
            LOG.debugf("block folder has no name folder=%s reason=%s", folder, e.getMessage());
            return "";
        }
    }

    /// @param id empty where the folder cannot be read
    private record Known(String id, long readNanos) {}
}
