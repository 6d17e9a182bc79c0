package io.tarpon.wire.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ShardIndexFormatTest {
    private static final String FILE = "datasets/demo/v1/train/shard-000000.index";

    @Test
    void indexOfTheReferenceArchiveIsTheGoldenFileAndComesBackFromIt() throws IOException {
        byte[] golden = HexFormat.of().parseHex(goldenHex());
        assertThat(HexFormat.of()
                        .formatHex(ShardIndexFormat.encode(TestShard.canon().index())))
                .isEqualTo(goldenHex());
        ShardIndex index = ShardIndexFormat.decode(FILE, golden);
        assertThat(index.members(0)).isEqualTo(TestShard.canon().index().members(0));
        assertThat(index.shardBytes()).isEqualTo(3072);
    }

    @RepeatedTest(20)
    void indexComesBackFromItsBytes(RepetitionInfo run) throws IOException {
        ShardIndex index = shard(run.getCurrentRepetition(), 150).index();
        byte[] bytes = ShardIndexFormat.encode(index);
        ShardIndex back = ShardIndexFormat.decode(FILE, bytes);
        assertThat(ShardIndexFormat.encode(back)).isEqualTo(bytes);
        for (int i = 0; i < index.sampleCount(); i++) {
            assertThat(back.members(i)).isEqualTo(index.members(i));
            assertThat(back.layout().sampleCrc32c(i)).isEqualTo(index.layout().sampleCrc32c(i));
            assertThat(back.find(index.key(i))).hasValue(i);
        }
        for (int i = 0; i < index.blockCount(); i++) {
            assertThat(back.block(i)).isEqualTo(index.block(i));
            assertThat(back.layout().subBlockCrcs(i)).isEqualTo(index.layout().subBlockCrcs(i));
        }
        assertThat(back.extensions()).isEqualTo(index.extensions());
    }

    @Test
    void sameShardGivesTheSameBytesHoweverItWasFed() {
        byte[] first = ShardIndexFormat.encode(shard(3, 40).index());
        assertThat(ShardIndexFormat.encode(shard(3, 40).index())).isEqualTo(first);
    }

    @Test
    void anyFlippedByteIsRefused() {
        byte[] bytes = ShardIndexFormat.encode(shard(1, 8).index());
        for (int i = 0; i < bytes.length; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 0x10;
            assertThatThrownBy(() -> ShardIndexFormat.decode(FILE, flipped))
                    .as("byte %d", i)
                    .isInstanceOfAny(CorruptFormatException.class, UnknownFormatException.class)
                    .hasMessageContaining(FILE);
        }
    }

    /// A forged file with a right CRC must not do worse than be refused; what passes is another canonical index.
    @Test
    void flippedByteUnderARightCrcIsRefusedOrStillAnIndex() throws IOException {
        byte[] bytes = ShardIndexFormat.encode(shard(1, 8).index());
        int refused = 0;
        for (int i = 8; i < bytes.length - 4; i++) {
            for (int mask : new int[] {0x01, 0x80, 0xff}) {
                byte[] forged = bytes.clone();
                forged[i] ^= (byte) mask;
                fixCrc(forged);
                try {
                    useAll(ShardIndexFormat.decode(FILE, forged));
                } catch (CorruptFormatException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).isGreaterThan(bytes.length / 4);
    }

    @Test
    void randomBytesUnderARightCrcAreRefused() {
        long seed = 99;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] bytes = ShardIndexFormat.encode(shard(2, 8).index());
        for (int round = 0; round < 20_000; round++) {
            byte[] forged = Arrays.copyOf(bytes, 60 + random.nextInt(bytes.length - 60));
            for (int n = random.nextInt(8); n >= 0; n--) {
                forged[8 + random.nextInt(forged.length - 12)] = (byte) random.nextInt();
            }
            fixCrc(forged);
            assertThatThrownBy(() -> ShardIndexFormat.decode(FILE, forged)).isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void indexCutAtAnyByteIsRefused() {
        byte[] bytes = ShardIndexFormat.encode(TestShard.canon().index());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ShardIndexFormat.decode(FILE, cut))
                    .as("length %d", length)
                    .isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void formatOfAnotherBuildIsRefusedWithBothNumbers() {
        byte[] bytes = ShardIndexFormat.encode(TestShard.canon().index());
        bytes[7] = 9;
        assertThatThrownBy(() -> ShardIndexFormat.decode(FILE, bytes))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContainingAll(FILE, "format 9", "knows format 1");
    }

    private static void useAll(ShardIndex index) {
        for (int i = 0; i < index.sampleCount(); i++) {
            assertThat(index.members(i)).isNotEmpty();
        }
        for (int i = 0; i < index.blockCount(); i++) {
            assertThat(index.layout().subBlockCrcs(i)).isNotEmpty();
        }
    }

    private static void fixCrc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
    }

    private static TestShard shard(int seed, int samples) {
        System.out.println("seed " + seed);
        return TestShard.random(new Random(seed), samples, 8192, 2048);
    }

    private static String goldenHex() throws IOException {
        try (var in = ShardIndexFormatTest.class.getResourceAsStream("/io/tarpon/wire/index/canon.index.hex")) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII).replaceAll("\\s", "");
        }
    }
}
