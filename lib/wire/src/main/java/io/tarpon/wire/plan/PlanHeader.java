package io.tarpon.wire.plan;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.tar.Ustar;

/// What a plan says of its shard as a whole. Neither version nor time: one source and specification, one plan.
///
/// @param source reference of the source
/// @param samples samples of the shard, at least 1
/// @param members members of all samples
/// @param bytes length of the finished tar: every [PlannedSample#tarBytes] and the two zero blocks
public record PlanHeader(String source, SplitName split, ShardName shard, int samples, long members, long bytes) {
    public PlanHeader {
        if (source.isEmpty()) {
            throw new IllegalArgumentException("a plan names its source");
        }
        if (samples < 1 || members < samples || bytes < 512 * members + Ustar.END_BYTES) {
            throw new IllegalArgumentException("counts of plan " + split + '/' + shard + " cannot be: " + samples
                    + " samples, " + members + " members, " + bytes + " bytes");
        }
    }
}
