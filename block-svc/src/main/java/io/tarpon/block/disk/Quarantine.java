package io.tarpon.block.disk;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import org.jboss.logging.Logger;

/// Damaged block files, renamed to `bad/<id>.bad` in their data folder; only the newest few are kept.
final class Quarantine {
    private static final Logger LOG = Logger.getLogger(Quarantine.class);

    private final int keep;

    Quarantine(int keep) {
        this.keep = keep;
    }

    synchronized void take(Path dataDir, Path file, BlockId id) throws IOException {
        if (keep == 0) {
            Files.deleteIfExists(file);
            return;
        }
        var folder = Files.createDirectories(dataDir.resolve("bad"));
        var target = folder.resolve(id + ".bad");
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        LOG.warnf("block file is in quarantine block=%s path=%s", id, target);
        deleteOldest(folder);
    }

    private void deleteOldest(Path folder) throws IOException {
        var aged = new ArrayList<Aged>();
        try (var files = Files.newDirectoryStream(folder, "*.bad")) {
            for (var path : files) {
                aged.add(new Aged(path, (FileTime) Files.getAttribute(path, "unix:ctime")));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        aged.sort(Comparator.comparing(Aged::since));
        for (var old : aged.subList(0, Math.max(0, aged.size() - keep))) {
            Files.deleteIfExists(old.path);
        }
    }

    /// @param since when it was renamed
    private record Aged(Path path, FileTime since) {}
}
