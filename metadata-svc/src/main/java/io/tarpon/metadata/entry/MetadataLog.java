package io.tarpon.metadata.entry;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// An ordered, durable sequence of entries that any number of appenders share. Entries are bytes here; the first
/// has position 1, the next 2, without a gap, for good, and every reader sees the same sequence.
///
/// What it does not promise: that an entry is in the log once. An append that failed may be tried again, and then
/// both may be there; guards make the second one harmless.
public interface MetadataLog extends AutoCloseable {
    /// A longer entry is refused before it is sent: a plan of some 250,000 shards fits.
    int MAX_ENTRY_BYTES = 32 << 20;

    /// Appends one entry and waits until it is durable. Returns its position.
    ///
    /// @throws IllegalArgumentException the entry is empty, or longer than [#MAX_ENTRY_BYTES]
    /// @throws LogBusyException the entry is certainly not in the log
    /// @throws IOException the entry may or may not be in the log, now or later
    long append(byte[] entry) throws IOException;

    /// Entries after `position`, in order, without a gap: at least one where there is one, else none; at most
    /// `limit`.
    List<byte[]> read(long position, int limit) throws IOException;

    /// Position of the last entry that can be read; 0 where there is none.
    long end();

    /// Waits until there is an entry after `position`, at most `timeout`. Returns [#end()].
    long awaitBeyond(long position, Duration timeout) throws InterruptedException;

    /// Where the entries lie, for errors.
    String name();

    @Override
    void close();
}
