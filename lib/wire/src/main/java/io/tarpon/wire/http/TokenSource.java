package io.tarpon.wire.http;

/// Where the write token comes from: itself where it never changes, a file that may be replaced while a process runs.
public interface TokenSource {
    /// The token as far as it is known, without waiting: for any thread.
    WriteToken current();

    /// Looks again now, for whoever was refused with [#current]. Blocks; where no new token can be had it is the old
    /// one.
    WriteToken reread();
}
