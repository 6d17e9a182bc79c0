package io.tarpon.wire.metadata;

import io.tarpon.wire.SplitName;
import java.util.List;

/// One split as planned: its shards, from `shard-000000` without a gap.
public record PlannedSplit(SplitName name, List<PlannedShard> shards) {
    public PlannedSplit {
        shards = List.copyOf(shards);
        if (shards.isEmpty()) {
            throw new IllegalArgumentException("split " + name + " is planned without shards");
        }
        for (int i = 0; i < shards.size(); i++) {
            if (shards.get(i).name().index() != i) {
                throw new IllegalArgumentException(
                        "split " + name + ": " + shards.get(i).name() + " stands where shard number " + i + " belongs");
            }
        }
    }
}
