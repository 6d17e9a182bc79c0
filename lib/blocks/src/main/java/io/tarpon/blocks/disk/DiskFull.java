package io.tarpon.blocks.disk;

import java.io.IOException;
import java.util.List;

/// Tells a full disk from a broken one. Java has no exception of its own for it, only the words of the system.
public final class DiskFull {
    private static final List<String> WORDS =
            List.of("No space left on device", "Disk quota exceeded", "File too large");

    private DiskFull() {}

    /// Whether the write failed because no more bytes fit: ENOSPC, EDQUOT or EFBIG.
    public static boolean caused(IOException failure) {
        var message = String.valueOf(failure.getMessage());
        return WORDS.stream().anyMatch(message::contains);
    }
}
