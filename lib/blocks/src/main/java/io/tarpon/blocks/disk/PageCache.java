package io.tarpon.blocks.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Brings bytes of a file into the page cache without copying them into the process.
public final class PageCache {
    private static final Path NULL_DEVICE = Path.of("/dev/null");
    private static final ThreadLocal<@Nullable FileChannel> NOWHERE = new ThreadLocal<>();
    private static final long STEP_BYTES = 1 << 20;

    private PageCache() {}

    /// Brings all of the sub-blocks there that `[from, to)` touches, because the file remembers no smaller parts. Waits
    /// for the disk where they are not in memory; cheap where they are.
    public static void warm(BlockFile file, long from, long to) throws IOException {
        if (from == to) {
            return;
        }
        var unit = file.header().subBlockBytes();
        var first = from / unit * unit;
        var last = Math.min(file.length(), Math.ceilDiv(to, unit) * unit);
        var at = file.dataOffset() + first;
        var end = file.dataOffset() + last;
        while (at < end) {
            var moved = file.channel().transferTo(at, Math.min(STEP_BYTES, end - at), nowhere());
            if (moved <= 0) {
                throw new IOException("block file " + file.path() + " ends at " + at);
            }
            at += moved;
        }
        file.warmed(first, last);
    }

    /// One for each thread: an interrupt closes it for whoever writes to it.
    private static FileChannel nowhere() throws IOException {
        var channel = NOWHERE.get();
        if (channel == null || !channel.isOpen()) {
            channel = FileChannel.open(NULL_DEVICE, StandardOpenOption.WRITE);
            NOWHERE.set(channel);
        }
        return channel;
    }
}
