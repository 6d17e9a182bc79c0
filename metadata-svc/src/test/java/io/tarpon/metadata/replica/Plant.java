package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.MetadataLog;

/// A bug that is put between a process and its log, to see that it is found.
interface Plant {
    /// None.
    Plant NOTHING = log -> log;

    /// The log as one process has it.
    MetadataLog in(MetadataLog log);

    /// An entry as it is when it is delivered a second time.
    default byte[] again(byte[] entry) {
        return entry;
    }
}
