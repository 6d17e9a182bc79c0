package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackedShardTest {
    private static final ShardName NAME = new ShardName(7);

    @Test
    void aPlannedShardComesBack() {
        var planned = new ShardRecord(NAME, 1, Long.MAX_VALUE, seal(0, "a").planSha256(), null);
        assertThat(PackedShard.unpack(NAME, null, ByteBuffer.wrap(PackedShard.pack(planned))))
                .isEqualTo(planned);
    }

    @Test
    void aSealedShardComesBack() {
        var sealed = new ShardRecord(NAME, 10, 10_240, seal(0, "a").planSha256(), seal(0, "a"));
        assertThat(PackedShard.unpack(NAME, null, ByteBuffer.wrap(PackedShard.pack(sealed))))
                .isEqualTo(sealed);
    }

    @Test
    void theLargestValuesComeBack() {
        var like = seal(0, "a");
        var blocks = IntStream.range(0, 1_000).boxed().toList();
        var fields = new TreeMap<>(
                Map.of("é.jpg", new FieldTotals(Long.MAX_VALUE, 0), "", new FieldTotals(0, Long.MAX_VALUE)));
        var large = new SealShard(
                like.planSha256(),
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                "f".repeat(64),
                "ffffffff",
                Long.MAX_VALUE,
                "0".repeat(64),
                fields,
                blocks);
        var sealed = new ShardRecord(NAME, Long.MAX_VALUE, Long.MAX_VALUE, like.planSha256(), large);
        assertThat(PackedShard.unpack(NAME, null, ByteBuffer.wrap(PackedShard.pack(sealed))))
                .isEqualTo(sealed);
    }

    @Test
    void aShardOfATypicalSizeTakesTwoHundredBytes() {
        var like = seal(0, "a");
        var blocks = IntStream.range(0, 32).map(i -> i * 100).boxed().toList();
        var sealed = new SealShard(
                like.planSha256(),
                3_200,
                1 << 28,
                like.sha256(),
                like.crc32c(),
                50_000,
                like.indexSha256(),
                like.fields(),
                blocks);
        assertThat(PackedShard.pack(new ShardRecord(NAME, 3_200, 1 << 28, like.planSha256(), sealed)))
                .hasSizeLessThan(200);
    }

    @Test
    void theNamesOfItsObjectsComeBack() {
        var sealed = new ShardRecord(
                NAME,
                10,
                10_240,
                seal(0, "a").planSha256(),
                null,
                seal(0, "a").by("00000000000000ff"),
                "ff00000000000000");
        assertThat(PackedShard.unpack(NAME, null, ByteBuffer.wrap(PackedShard.pack(sealed))))
                .isEqualTo(sealed);
        var planned = new ShardRecord(NAME, 10, 10_240, seal(0, "a").planSha256(), null, null, "ff00000000000000");
        assertThat(PackedShard.unpack(NAME, null, ByteBuffer.wrap(PackedShard.pack(planned))))
                .isEqualTo(planned);
    }

    @Test
    void aSealOfAnotherPlanIsRefused() {
        var other = new ShardRecord(NAME, 11, 10_240, seal(0, "a").planSha256(), seal(0, "a"));
        assertThatThrownBy(() -> PackedShard.pack(other)).hasMessageContaining("shard-000007");
    }
}
