package io.tarpon.wire.metadata;

import java.util.List;

/// What a collection of garbage deleted, or would delete.
///
/// @param dryRun nothing was deleted
/// @param objects,bytes of removed versions, in the object store
/// @param uploads half-done uploads that nobody goes on with
/// @param blocks,blockBytes on block services that no version left uses
/// @param waiting removed versions that must stay for now, and why
/// @param unreachable nodes that could not be asked to drop blocks: theirs go when they need the room
public record GarbageReport(
        boolean dryRun,
        long objects,
        long bytes,
        long uploads,
        long blocks,
        long blockBytes,
        List<Waiting> waiting,
        List<String> unreachable) {
    public GarbageReport {
        waiting = List.copyOf(waiting);
        unreachable = List.copyOf(unreachable);
    }

    /// @param version `demo/v1`
    /// @param why `removed-just-now`, `open-reads`, `readers-unknown` (the service has just started),
    /// or `in-use-by demo/v2` (what is not in use of it is gone)
    public record Waiting(String version, String why) {}
}
