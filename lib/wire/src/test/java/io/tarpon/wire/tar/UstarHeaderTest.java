package io.tarpon.wire.tar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UstarHeaderTest {
    private static final String CANON_SHA256 = "335f56ca28bb10d8b3db8493870b7aa87fca66ab5a030a3fe404af8ba1b38922";

    /// The byte vector of the format's reference.
    static byte[] canonTar() {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        member(tar, "000000.json", "{\"y\":1}".getBytes(UTF_8));
        member(tar, "000000.txt", "hello\n".getBytes(UTF_8));
        tar.writeBytes(Ustar.end());
        return tar.toByteArray();
    }

    static void member(ByteArrayOutputStream tar, String name, byte[] data) {
        tar.writeBytes(new UstarHeader(name, data.length).encode());
        tar.writeBytes(data);
        tar.writeBytes(new byte[(int) (Ustar.paddedLength(data.length) - data.length)]);
    }

    @Test
    void archiveOfTwoMembersIsTheReferenceVectorByteForByte() {
        byte[] tar = canonTar();
        assertThat(tar).hasSize(3072);
        assertThat(Digests.sha256Hex(tar)).isEqualTo(CANON_SHA256);
        assertThat(new String(tar, 148, 8, UTF_8)).isEqualTo("010614\0 ");
    }

    @Test
    void headerComesBackFromItsBytes() throws IOException {
        long seed = 11;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            String name = "n".repeat(1 + random.nextInt(100));
            UstarHeader header = new UstarHeader(name, random.nextLong(Ustar.MAX_MEMBER_BYTES + 1));
            byte[] bytes = header.encode();
            assertThat(UstarHeader.decode(bytes, 0, 0)).isEqualTo(header);
            assertThat(UstarHeader.encode(name.getBytes(UTF_8), header.size())).isEqualTo(bytes);
        }
        UstarHeader accented = new UstarHeader("caf\u00e9.txt", Ustar.MAX_MEMBER_BYTES);
        assertThat(UstarHeader.decode(accented.encode(), 0, 0)).isEqualTo(accented);
    }

    @Test
    void anyFlippedByteIsRefused() {
        byte[] header = new UstarHeader("a/b.jpg", 12345).encode();
        for (int i = 0; i < header.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = header.clone();
                flipped[i] ^= (byte) (1 << bit);
                assertThatThrownBy(() -> UstarHeader.decode(flipped, 0, 512))
                        .as("byte %d bit %d", i, bit)
                        .isInstanceOf(TarFormatException.class)
                        .hasMessageContaining("tar offset 512");
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefusedWithItsName() {
        assertThatThrownBy(() -> new UstarHeader("x".repeat(101), 0)).hasMessageContaining("100 bytes");
        assertThatThrownBy(() -> new UstarHeader("", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UstarHeader("a\0b", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UstarHeader("x", Ustar.MAX_MEMBER_BYTES + 1))
                .hasMessageContaining("8589934592");
        assertThatThrownBy(() -> new UstarHeader("x", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UstarHeader.encode(new byte[101], 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lengthsArePaddedTo512() {
        assertThat(Ustar.paddedLength(0)).isZero();
        assertThat(Ustar.paddedLength(1)).isEqualTo(512);
        assertThat(Ustar.paddedLength(512)).isEqualTo(512);
        assertThat(Ustar.paddedLength(513)).isEqualTo(1024);
        assertThat(Ustar.memberLength(Ustar.MAX_MEMBER_BYTES)).isEqualTo((8L << 30) + 512);
        assertThatThrownBy(() -> Ustar.paddedLength(8L << 30)).isInstanceOf(IllegalArgumentException.class);
    }
}
