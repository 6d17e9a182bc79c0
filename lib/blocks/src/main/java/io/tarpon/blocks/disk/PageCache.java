package io.tarpon.blocks.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Brings bytes of a file into the page cache without copying them into the process.
public final class PageCache {
    private static final Path NOWHERE = Path.of("/dev/null");
    private static final long STEP_BYTES = 1 << 20;

    private PageCache() {}

    /// Waits for the disk where the bytes are not in memory; cheap where they are.
    public static void warm(BlockFile file, long from, long to) throws IOException {
        try (var nowhere = FileChannel.open(NOWHERE, StandardOpenOption.WRITE)) {
            var at = file.dataOffset() + from;
            var end = file.dataOffset() + to;
            while (at < end) {
                var moved = file.channel().transferTo(at, Math.min(STEP_BYTES, end - at), nowhere);
                if (moved <= 0) {
                    throw new IOException("block file " + file.path() + " ends at " + at);
                }
                at += moved;
            }
            file.warmed(from, to);
        }
    }
}
