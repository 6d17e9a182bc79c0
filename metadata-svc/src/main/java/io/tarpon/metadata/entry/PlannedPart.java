package io.tarpon.metadata.entry;

import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.PlannedShard;
import java.util.List;

/// Some shards of a split as planned, one after another: what of the split is on one page of a plan.
public record PlannedPart(SplitName name, List<PlannedShard> shards) {
    public PlannedPart {
        shards = List.copyOf(shards);
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("a part of split " + name + " without shards");
        }
    }
}
