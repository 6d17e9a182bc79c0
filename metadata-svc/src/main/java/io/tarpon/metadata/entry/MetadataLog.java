package io.tarpon.metadata.entry;

import java.io.IOException;

/// An ordered, durable sequence of entries that any number of appenders share. Entries are bytes here; the first
/// has position 1, the next 2, without a gap, for good, and every reader sees the same sequence.
///
/// What it does not promise: that an entry is in the log once. An append that failed may be tried again, and then
/// both may be there; guards make the second one harmless.
public interface MetadataLog extends AutoCloseable {
    /// A longer entry is refused before it is sent: a plan of some 250,000 shards fits.
    int MAX_ENTRY_BYTES = 32 << 20;

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

    /// Position of the last entry; 0 where there is none. As of now: whatever was acknowledged to anybody before
    /// this was called lies at it or before.
    ///
    /// @throws LogUnavailableException that cannot be told now
    long end() throws IOException;

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
