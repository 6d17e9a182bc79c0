package io.tarpon.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanDigestTest {
    private static final String A = "a".repeat(64);
    private static final String B = "b".repeat(64);
    private static final String PARENT = "c".repeat(64);

    @Test
    void itIsWhatItsDescriptionSays() {
        var splits = List.of(split("train", A, B), split("val", B));
        var text = "train\n" + A + "\n" + B + "\nval\n" + B + "\n";
        assertThat(PlanDigest.of(splits)).isEqualTo(sha256(text));
        assertThat(PlanDigest.grown(PARENT, splits)).isEqualTo(sha256(PARENT + "\n" + text));
    }

    @Test
    void whatAShardIsKeptFromDoesNotMatterToIt() {
        var built = new PlannedSplit(new SplitName("train"), List.of(shard(0, A, null)));
        var kept = new PlannedSplit(new SplitName("train"), List.of(shard(0, A, new ShardName(4))));
        assertThat(PlanDigest.grown(PARENT, List.of(kept))).isEqualTo(PlanDigest.grown(PARENT, List.of(built)));
    }

    private static PlannedSplit split(String name, String... plans) {
        var shards = new ArrayList<PlannedShard>();
        for (var plan : plans) {
            shards.add(shard(shards.size(), plan, null));
        }
        return new PlannedSplit(new SplitName(name), shards);
    }

    private static PlannedShard shard(int number, String plan, @Nullable ShardName kept) {
        return new PlannedShard(new ShardName(number), 1, 2_048, plan, kept);
    }

    private static String sha256(String text) {
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }
}
