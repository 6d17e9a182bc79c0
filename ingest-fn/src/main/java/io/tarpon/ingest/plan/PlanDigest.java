package io.tarpon.ingest.plan;

import io.tarpon.wire.Digests;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/// One digest for a whole plan: SHA-256 over, for each split in order of name, its name and a line feed, then for
/// each of its shards in order the SHA-256 of its plan file as 64 lower-case hex digits and a line feed. Two
/// versions with equal digests have equal shards.
///
/// For a version that grew: its parent's plan digest where nothing is new, changed or gone, so that metadata-svc gives
/// the parent back; else SHA-256 over the parent's plan digest and a line feed, then what is said above, a kept shard
/// counting with the plan that the parent has it from. So it is a function of source, specification and parent, too.
public final class PlanDigest {
    private PlanDigest() {}

    public static String of(List<PlannedSplit> splits) {
        return over(Digests.sha256(), splits);
    }

    /// Of a version in which something is not as in its parent.
    public static String grown(String parentPlanDigest, List<PlannedSplit> splits) {
        var sha256 = Digests.sha256();
        sha256.update(line(Digests.requireSha256("parentPlanDigest", parentPlanDigest)));
        return over(sha256, splits);
    }

    private static String over(MessageDigest sha256, List<PlannedSplit> splits) {
        for (var split : splits) {
            sha256.update(line(split.name().value()));
            for (PlannedShard shard : split.shards()) {
                sha256.update(line(shard.planSha256()));
            }
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    private static byte[] line(String text) {
        return (text + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
