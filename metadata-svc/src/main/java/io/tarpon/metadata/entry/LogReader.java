package io.tarpon.metadata.entry;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Reads a [MetadataLog] from a position on, entry by entry. Owned by one thread at a time.
public interface LogReader extends AutoCloseable {
    /// The next entries, in order, without a gap, at most `limit`. Waits for one, at most `patience`; none where
    /// none came. What a call does not give, because it throws too, the next one does.
    ///
    /// @throws LogTrimmedException the next entry was removed from the beginning of the log; no later call helps
    /// @throws LogUnavailableException not now; the same reader can be asked again
    /// @throws IOException what lies there cannot be what was appended, or the log is closed: no later call helps
    List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException;

    @Override
    void close();
}
