package io.tarpon.metadata.entry;

import java.io.IOException;

/// The next entry was removed from the beginning of the log, on purpose: what it said is in a snapshot only.
public final class LogTrimmedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long wanted;
    private final long begin;

    /// @param log where it lies
    /// @param wanted position of the entry that was to be read
    /// @param begin what [MetadataLog#begin()] is
    public LogTrimmedException(String log, long wanted, long begin) {
        super("entry " + wanted + " was removed from " + log + ", which begins with entry " + (begin + 1)
                + ": start from a snapshot of revision " + begin + " or later");
        this.wanted = wanted;
        this.begin = begin;
    }

    public long wanted() {
        return wanted;
    }

    public long begin() {
        return begin;
    }
}
