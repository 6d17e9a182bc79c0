package io.tarpon.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TarBlocksTest {
    private final byte[] tar = random(8 * 512);

    @Test
    void theOrderOfBlocksAndZeroBlocksCountNothing() {
        var turned = ByteBuffer.allocate(tar.length + 1024);
        turned.put(tar, 1024, tar.length - 1024).put(new byte[1024]).put(tar, 0, 1024);
        assertThat(sum(turned.array(), turned.capacity())).isEqualTo(sum(tar, tar.length));
    }

    @Test
    void theSizeOfPartsCountsNothing() {
        for (int part : new int[] {1, 511, 512, 513, 3000}) {
            assertThat(sum(tar, part)).as("parts of %d bytes", part).isEqualTo(sum(tar, tar.length));
        }
    }

    @Test
    void anotherByteOrABlockTwiceIsAnotherSum() {
        var other = tar.clone();
        other[1000] ^= 1;
        assertThat(sum(other, 512)).isNotEqualTo(sum(tar, 512));
        System.arraycopy(tar, 0, other, 512, 512);
        assertThat(sum(other, 512)).isNotEqualTo(sum(tar, 512));
    }

    private static long sum(byte[] bytes, int part) {
        var blocks = new TarBlocks();
        for (int from = 0; from < bytes.length; from += part) {
            blocks.add(ByteBuffer.wrap(bytes, from, Math.min(part, bytes.length - from)));
        }
        return blocks.sum();
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        new SplittableRandom(1).nextBytes(bytes);
        return bytes;
    }
}
