package io.tarpon.ingest.growth;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import java.util.List;

/// The sealed version that another one grows from, as far as growth looks at it. Its size goes with its shards, not
/// with its samples.
///
/// @param name as people write it: `demo/v1`; empty for [#NONE]
/// @param planDigest of its plan
public record Parent(String name, String planDigest, List<Split> splits) {
    /// For a version that is planned anew.
    public static final Parent NONE = new Parent("", "", List.of());

    public Parent {
        splits = List.copyOf(splits);
        if (!splits.isEmpty()) {
            Digests.requireSha256("planDigest", planDigest);
        }
    }

    /// Its shards in order.
    public record Split(SplitName name, List<Shard> shards) {
        public Split {
            shards = List.copyOf(shards);
        }
    }

    /// @param bytes of its tar
    /// @param planKey where its plan lies
    public record Shard(ShardName name, long samples, long bytes, String planSha256, String planKey) {}

    /// A sealed version has samples, so one without is none.
    public boolean isNone() {
        return splits.isEmpty();
    }

    public List<Shard> shards(SplitName split) {
        return splits.stream()
                .filter(held -> held.name().equals(split))
                .findFirst()
                .map(Split::shards)
                .orElse(List.of());
    }
}
