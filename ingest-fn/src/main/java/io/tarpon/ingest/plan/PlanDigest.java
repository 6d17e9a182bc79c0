package io.tarpon.ingest.plan;

import io.tarpon.wire.Digests;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/// One digest for a whole plan: SHA-256 over, for each split in order of name, its name and a line feed, then for
/// each of its shards in order the SHA-256 of its plan file as 64 lower-case hex digits and a line feed. Two
/// versions with equal digests have equal shards.
public final class PlanDigest {
    private PlanDigest() {}

    public static String of(List<PlannedSplit> splits) {
        var sha256 = Digests.sha256();
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
