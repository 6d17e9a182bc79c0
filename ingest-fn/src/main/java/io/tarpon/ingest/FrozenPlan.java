package io.tarpon.ingest;

import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedSplit;
import java.util.List;

/// A plan whose files are in the store. Without splits where no input can become a member.
///
/// @param planDigest as [io.tarpon.ingest.plan.PlanDigest] defines it
record FrozenPlan(Inputs inputs, List<PlannedSplit> splits, String planDigest) {
    FrozenPlan {
        splits = List.copyOf(splits);
    }

    PlanVersion command(boolean force) {
        return new PlanVersion(planDigest, force, inputs, splits);
    }

    long samples() {
        return splits.stream()
                .flatMap(split -> split.shards().stream())
                .mapToLong(shard -> shard.samples())
                .sum();
    }

    int shards() {
        return splits.stream().mapToInt(split -> split.shards().size()).sum();
    }

    /// Shards that are the parent's.
    long kept() {
        return splits.stream()
                .flatMap(split -> split.shards().stream())
                .filter(shard -> shard.kept() != null)
                .count();
    }
}
