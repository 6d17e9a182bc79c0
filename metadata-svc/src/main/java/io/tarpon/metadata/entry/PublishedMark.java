package io.tarpon.metadata.entry;

import java.io.IOException;

/// Remembers, beside the log, a revision up to which every event is known to be published. It may be behind, never
/// ahead: a publisher that finds none reads more than it needs to, and nothing worse.
public interface PublishedMark {
    /// 0 where nothing is remembered.
    long publishedUpTo() throws IOException;

    /// Need not be durable: a crash may bring an older mark back.
    void publishedUpTo(long revision) throws IOException;
}
