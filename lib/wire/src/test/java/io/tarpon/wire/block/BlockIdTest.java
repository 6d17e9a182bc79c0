package io.tarpon.wire.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockIdTest {
    private static final String SHARD = "335f56ca28bb10d8b3db8493870b7aa87fca66ab5a030a3fe404af8ba1b38922";

    /// Computed with `(printf %s "$SHARD" | xxd -r -p; printf '\0\0\0\3') | sha256sum | cut -c1-32`.
    private static final String THIRD = "36b5ba4f8833ed77de7c5071fc766938";

    @Test
    void idIsTheFirstHalfOfTheDigestOverShardAndNumber() {
        assertThat(BlockId.of(SHARD, 3).hex()).isEqualTo(THIRD);
        assertThat(BlockId.of(HexFormat.of().parseHex(SHARD), 3)).isEqualTo(BlockId.parse(THIRD));
        assertThat(BlockId.of(SHARD, 4)).isNotEqualTo(BlockId.of(SHARD, 3));
    }

    @Test
    void halvesAreTheBitsOfTheId() {
        BlockId id = BlockId.parse("0123456789abcdeffedcba9876543210");
        assertThat(id.high()).isEqualTo(0x0123456789abcdefL);
        assertThat(id.low()).isEqualTo(0xfedcba9876543210L);
    }

    @Test
    void idsAreOrderedAsTheirDigitsAndBackFromThem() {
        Random random = new Random(4);
        for (int i = 0; i < 1_000; i++) {
            BlockId one = new BlockId((long) random.nextInt(3) << 62, random.nextLong());
            BlockId other = new BlockId(-random.nextInt(2), random.nextLong());
            assertThat(BlockId.parse(one.hex())).isEqualTo(one);
            assertThat(Integer.signum(one.compareTo(other)))
                    .isEqualTo(Integer.signum(one.hex().compareTo(other.hex())));
        }
    }

    @Test
    void whatIsNoIdIsRefused() {
        for (String text :
                new String[] {"", "0", "0123456789ABCDEF0123456789abcdef", "../../../../../etc/passwd0000000"}) {
            assertThatThrownBy(() -> BlockId.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> BlockId.of(SHARD, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pathFollowsFromTheIdAlone() {
        BlockId id = BlockId.parse("ff0000ff89abcdeffedcba9876543210");
        assertThat(BlockPath.relative(id)).isEqualTo("ff/ff0000ff89abcdeffedcba9876543210.blk");
    }
}
