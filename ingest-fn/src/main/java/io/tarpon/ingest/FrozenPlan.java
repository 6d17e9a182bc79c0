package io.tarpon.ingest;

import io.tarpon.ingest.plan.PlanDigest;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedSplit;
import java.util.List;

/// A plan whose files are in the store. Without splits where no input can become a member.
record FrozenPlan(Inputs inputs, List<PlannedSplit> splits) {
    FrozenPlan {
        splits = List.copyOf(splits);
    }

    PlanVersion command(boolean force) {
        return new PlanVersion(PlanDigest.of(splits), force, inputs, splits);
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
}
