package io.tarpon.metadata.entry;

import java.io.IOException;

/// An ordered, durable sequence of entries that any number of appenders share. Entries are bytes here; the first
/// has position 1, the next 2, without a gap, for good, and every reader sees the same sequence. It can be trimmed at
/// its beginning, which changes no position.
///
/// What it does not promise: that an entry is in the log once. An append that failed may be tried again, and then
/// both may be there; guards make the second one harmless.
public interface MetadataLog extends AutoCloseable {
    /// A longer entry is refused before it is sent. What is there already is read whatever its length: earlier
    /// versions appended entries of up to 32 MiB.
    int MAX_ENTRY_BYTES = 512 << 10;

    /// Appends one entry and waits until it is durable, no longer than the log's deadline for that. Returns its
    /// position.
    ///
    /// @throws IllegalArgumentException the entry is empty, or longer than [#MAX_ENTRY_BYTES]
    /// @throws LogBusyException the entry is certainly not in the log
    /// @throws LogUnavailableException the entry is certainly not in the log, which cannot be reached
    /// @throws IOException the entry may or may not be in the log, now or later
    long append(byte[] entry) throws IOException;

    /// A reader of what comes after `position`.
    LogReader reader(long position);

    /// Position of the last entry that was removed from the beginning; 0 for a whole log.
    ///
    /// @throws LogUnavailableException that cannot be told now
    long begin() throws IOException;

    /// Removes every entry up to `position`. Where they are removed already, nothing happens. A crash may bring some
    /// of them back, the last ones and without a gap.
    ///
    /// @throws IllegalArgumentException there is no entry at `position`
    /// @throws LogUnavailableException not now
    /// @throws IOException they may be removed or not
    void trim(long position) throws IOException;

    /// Position of the last entry; 0 where there is none. As of now: whatever was acknowledged to anybody before
    /// this was called lies at it or before.
    ///
    /// @throws LogUnavailableException that cannot be told now
    long end() throws IOException;

    /// Throws where a log that ends there cannot be trimmed so.
    static void requireTrimmable(long position, long end) {
        if (position < 0 || position > end) {
            throw new IllegalArgumentException("a log of " + end + " entries is not trimmed up to " + position);
        }
    }

    /// Throws where an entry of this length cannot be one of a log.
    static void requireFits(byte[] entry) {
        if (entry.length == 0 || entry.length > MAX_ENTRY_BYTES) {
            throw new IllegalArgumentException(
                    "an entry of " + entry.length + " bytes is not between 1 and " + MAX_ENTRY_BYTES);
        }
    }

    /// False once something happened that only a new start mends: nothing is appended then.
    boolean isWhole();

    /// Where the entries lie, for errors.
    String name();

    @Override
    void close();
}
