package io.tarpon.chaos;

import java.util.List;

/// `tarpon chaos --json`.
///
/// @param seed decides faults, folders and reads; the interleaving of processes it cannot decide
/// @param wrong what did not hold, in words; empty on a good day
public record ChaosResult(
        long seed,
        long seconds,
        String store,
        List<Trouble.Faults> faults,
        Versions versions,
        ReadCounts.Seen reads,
        Told events,
        List<String> wrong)
        implements TrialResult {
    /// @param asked how many were asked for
    /// @param unchanged requests that gave the version before back
    /// @param failed ends with a reason, before a retry
    public record Versions(int asked, int sealed, int unchanged, int failed, int removed) {}

    public record Told(int records, int duplicates) {}
}
