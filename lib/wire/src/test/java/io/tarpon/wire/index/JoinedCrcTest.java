package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class JoinedCrcTest {
    /// The check value that every description of this CRC gives for these nine bytes.
    @Test
    void checkValueComesFromAnyTwoPieces() {
        byte[] bytes = "123456789".getBytes(US_ASCII);
        for (int cut = 0; cut <= bytes.length; cut++) {
            JoinedCrc joined = new JoinedCrc();
            append(joined, bytes, 0, cut);
            append(joined, bytes, cut, bytes.length);
            assertThat(joined.value()).as("cut at %d", cut).isEqualTo(0xe306_9283);
        }
    }

    @Test
    void piecesOfAnyLengthsGiveTheCrcOfTheWhole() {
        long seed = 17;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            byte[] bytes = new byte[1 + random.nextInt(300_000)];
            random.nextBytes(bytes);
            JoinedCrc joined = new JoinedCrc();
            for (int from = 0; from < bytes.length; ) {
                int end = Math.min(bytes.length, from + random.nextInt(1 << random.nextInt(18)));
                append(joined, bytes, from, end);
                from = end;
            }
            assertThat(joined.value()).isEqualTo(TestShard.crc(bytes, 0, bytes.length));
        }
    }

    @Test
    void joinedRunsJoinLikePieces() {
        byte[] bytes = new byte[1000];
        new Random(3).nextBytes(bytes);
        JoinedCrc whole = new JoinedCrc();
        JoinedCrc part = new JoinedCrc();
        append(whole, bytes, 0, 100);
        append(part, bytes, 100, 400);
        append(part, bytes, 400, 1000);
        whole.append(part);
        assertThat(whole.value()).isEqualTo(TestShard.crc(bytes, 0, 1000));
        part.reset();
        whole.append(part);
        assertThat(whole.value()).isEqualTo(TestShard.crc(bytes, 0, 1000));
    }

    /// 5 GiB of zeros: a shard is longer than an int counts.
    @Test
    void pieceMayBeLongerThanAnInt() {
        long zeros = 5L << 30;
        CRC32C first = new CRC32C();
        first.update(new byte[1 << 20]);
        JoinedCrc megabyte = new JoinedCrc();
        megabyte.append((int) first.getValue(), 1 << 20);
        JoinedCrc oneByOne = new JoinedCrc();
        for (long at = 0; at < zeros; at += 1 << 20) {
            oneByOne.append(megabyte);
        }
        JoinedCrc doubled = megabyte;
        JoinedCrc bySquares = new JoinedCrc();
        for (long left = zeros >>> 20; left != 0; left >>>= 1) {
            if ((left & 1) != 0) {
                bySquares.append(doubled);
            }
            JoinedCrc twice = new JoinedCrc();
            twice.append(doubled);
            twice.append(doubled);
            doubled = twice;
        }
        assertThat(bySquares.value()).isEqualTo(oneByOne.value());
    }

    private static void append(JoinedCrc joined, byte[] bytes, int from, int end) {
        joined.append(TestShard.crc(bytes, from, end), end - from);
    }
}
