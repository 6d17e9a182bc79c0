package io.tarpon.chaos;

import java.util.List;

/// `tarpon chaos --target metadata --json`.
///
/// @param seed decides faults and commands; the interleaving of processes it cannot decide
/// @param replicas as they were in the end
/// @param wrong what did not hold, in words; empty on a good day
public record MetadataTrialResult(
        long seed,
        long seconds,
        List<Trouble.Faults> faults,
        Commands commands,
        List<Replica> replicas,
        ChaosResult.Told events,
        List<String> wrong)
        implements TrialResult {
    /// What was acknowledged.
    ///
    /// @param all commands, those that said the same twice among them
    public record Commands(int all, int begun, int planned, int shardsSealed, int sealed, int failed, int removed) {}

    /// @param digest of all that it knows
    public record Replica(String name, long revision, String digest) {}
}
