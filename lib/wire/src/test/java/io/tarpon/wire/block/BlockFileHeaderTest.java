package io.tarpon.wire.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.index.TestShard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class BlockFileHeaderTest {
    private static final String FILE = "/data/0/ab/x.blk";
    private static final BlockFileHeader CANON =
            BlockFileHeader.of(TestShard.canon().index().layout(), 0);

    @Test
    void headerOfTheReferenceArchiveIsTheGoldenFileAndComesBackFromIt() throws IOException {
        byte[] bytes = CANON.encode();
        assertThat(bytes).hasSize(4096);
        assertThat(HexFormat.of().formatHex(bytes, 0, 64)).isEqualTo(goldenHex());
        assertThat(Arrays.copyOfRange(bytes, 64, 4096)).containsOnly(0);
        BlockFileHeader golden = BlockFileHeader.decode(
                FILE, Arrays.copyOf(HexFormat.of().parseHex(goldenHex()), BlockFileHeader.BYTES));
        assertThat(golden).isEqualTo(CANON);
        assertThat(golden.length()).isEqualTo(3072);
        assertThat(golden.id()).isEqualTo(BlockId.of(TestShard.canon().index().shardSha256(), 0));
    }

    @Test
    void anyFlippedByteIsRefused() {
        byte[] bytes = CANON.encode();
        for (int i = 0; i < bytes.length; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 0x04;
            assertThatThrownBy(() -> BlockFileHeader.decode(FILE, flipped))
                    .as("byte %d", i)
                    .isInstanceOfAny(CorruptFormatException.class, UnknownFormatException.class)
                    .hasMessageContaining(FILE);
        }
    }

    @Test
    void versionOfAnotherBuildIsRefusedWithBothNumbers() {
        byte[] bytes = CANON.encode();
        bytes[5] = 2;
        assertThatThrownBy(() -> BlockFileHeader.decode(FILE, bytes))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContainingAll(FILE, "format 2", "knows format 1");
    }

    @Test
    void lengthThatDoesNotFitItsChecksumsIsRefusedThoughItsCrcIsRight() {
        for (long length : new long[] {0, -1, 65537, 1L << 40}) {
            byte[] bytes = CANON.encode();
            ByteBuffer.wrap(bytes).putLong(40, length);
            fixCrc(bytes);
            assertThatThrownBy(() -> BlockFileHeader.decode(FILE, bytes)).hasMessageContaining("cannot be");
        }
    }

    @Test
    void blockOfTheLargestLengthFitsTheHeader() throws IOException {
        int[] crcs = new int[256];
        Arrays.setAll(crcs, i -> i * 0x9e3779b9);
        BlockFileHeader header = new BlockFileHeader(CANON.id(), 16 << 20, 64 << 10, crcs);
        assertThat(BlockFileHeader.decode(FILE, header.encode())).isEqualTo(header);
        assertThat(header.subBlockLength(255)).isEqualTo(64 << 10);
        assertThat(header.fileBytes()).isEqualTo((16 << 20) + 4096);
    }

    private static void fixCrc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, 60);
        ByteBuffer.wrap(bytes).putInt(60, (int) crc.getValue());
    }

    private static String goldenHex() throws IOException {
        try (var in = BlockFileHeaderTest.class.getResourceAsStream("/io/tarpon/wire/block/canon.blk-header.hex")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", "");
        }
    }
}
