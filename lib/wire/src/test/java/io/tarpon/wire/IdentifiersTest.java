package io.tarpon.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdentifiersTest {
    @Test
    void aReferenceReadsWhatItWrites() {
        var ref = ShardRef.parse("demo/v12/train/shard-000007");
        assertThat(ref.path()).isEqualTo("demo/v12/train/shard-000007");
        assertThat(ref.version().number()).isEqualTo(12);
        assertThat(ShardName.parse("shard-1234567").index()).isEqualTo(1_234_567);
        assertThat(ObjectKeys.plan(ref)).isEqualTo("datasets/demo/v12/plan/train/shard-000007.plan");
        assertThat(ObjectKeys.tar(ref)).isEqualTo("datasets/demo/v12/train/shard-000007.tar");
        assertThat(ObjectKeys.tar(ref, "0123456789abcdef"))
                .isEqualTo("datasets/demo/v12/train/shard-000007.0123456789abcdef.tar");
        assertThat(ObjectKeys.index(ref, "0123456789abcdef"))
                .isEqualTo("datasets/demo/v12/train/shard-000007.0123456789abcdef.index");
        assertThat(ObjectKeys.plan(ref, "fedcba9876543210"))
                .isEqualTo("datasets/demo/v12/plan/train/shard-000007.fedcba9876543210.plan");
    }

    @Test
    void onlyCanonicalNamesAreNames() {
        for (var name : new String[] {"", "Demo", "-a", "_a", "a/b", "../x", "é", "a".repeat(64), "a b", "a.b"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new DatasetName(name));
        }
        for (var version : new String[] {"", "v", "v0", "v01", "1", "V1", "v-1", "v1 ", "latest", "v99999999999"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> VersionId.parse(version));
        }
        for (var shard : new String[] {"shard-0", "shard-0000000", "shard-00000a", "shard--00001", "shard-٠٠٠٠٠٠"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> ShardName.parse(shard));
        }
    }

    @Test
    void theKeyOfASnapshotSaysItsRevisionAndOthersSayNothing() {
        assertThat(ObjectKeys.snapshot(120)).isEqualTo("metadata/snapshot-120");
        assertThat(ObjectKeys.snapshotRevision("metadata/snapshot-120")).hasValue(120);
        for (var key : List.of("metadata/snapshot-", "metadata/snapshot-0", "metadata/snapshot-01", "snapshot-1")) {
            assertThat(ObjectKeys.snapshotRevision(key)).isEmpty();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> ObjectKeys.snapshot(0));
    }

    @Test
    void keysOfAShardSayWhoseTheyAreAndOthersSayNothing() {
        for (var path : List.of("demo/v1/train/shard-000007", "demo/v1/plan/shard-000000")) {
            var ref = ShardRef.parse(path);
            for (var name : new String[] {"0123456789abcdef", null}) {
                assertThat(List.of(ObjectKeys.plan(ref, name), ObjectKeys.tar(ref, name), ObjectKeys.index(ref, name)))
                        .allSatisfy(key -> assertThat(ObjectKeys.shard(key)).contains(ref));
            }
        }
        assertThat(List.of(
                        "datasets/demo/v1/report.jsonl",
                        "datasets/demo/v1/train/shard-7.tar",
                        "datasets/demo/v0/train/shard-000007.tar",
                        "datasets/demo/v1/plan/train/more/shard-000007.plan",
                        "buckets/demo/v1/train/shard-000007.tar"))
                .allSatisfy(key -> assertThat(ObjectKeys.shard(key)).isEmpty());
    }
}
