package io.tarpon.wire.tar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class UstarReaderTest {
    private static final byte[] CANON = UstarHeaderTest.canonTar();

    @Test
    void membersComeInOrderWithTheirPlacesAndData() throws IOException {
        try (UstarReader reader = reader(CANON)) {
            assertThat(reader.next()).contains(new UstarHeader("000000.json", 7));
            assertThat(reader.headerOffset()).isZero();
            assertThat(new String(reader.readAll(7), UTF_8)).isEqualTo("{\"y\":1}");
            assertThat(reader.read(new byte[1], 0, 1)).isEqualTo(-1);
            assertThat(reader.next()).contains(new UstarHeader("000000.txt", 6));
            assertThat(reader.headerOffset()).isEqualTo(1024);
            ByteArrayOutputStream data = new ByteArrayOutputStream();
            reader.transferTo(data);
            assertThat(data.toString(UTF_8)).isEqualTo("hello\n");
            assertThat(reader.next()).isEmpty();
            assertThat(reader.position()).isEqualTo(CANON.length);
            assertThat(reader.next()).isEmpty();
        }
    }

    @Test
    void unreadDataAreSkipped() throws IOException {
        assertThat(count(CANON)).isEqualTo(2);
    }

    @Test
    void archiveOfTheTwoZeroBlocksIsWholeAndEmpty() throws IOException {
        assertThat(count(Ustar.end())).isZero();
    }

    @Test
    void archiveCutAtAnyByteIsRefused() {
        for (int length = 0; length < CANON.length; length++) {
            byte[] cut = Arrays.copyOf(CANON, length);
            assertThatThrownBy(() -> count(cut)).as("length %d", length).isInstanceOf(TarFormatException.class);
        }
    }

    @Test
    void flippedByteOutsideTheDataIsRefused() {
        for (int i = 0; i < CANON.length; i++) {
            boolean data = (i >= 512 && i < 519) || (i >= 1536 && i < 1542);
            byte[] flipped = CANON.clone();
            flipped[i] ^= 1;
            if (!data) {
                assertThatThrownBy(() -> count(flipped)).as("byte %d", i).isInstanceOf(TarFormatException.class);
            }
        }
    }

    @Test
    void bytesAfterTheEndAreRefused() {
        assertThatThrownBy(() -> count(Arrays.copyOf(CANON, CANON.length + 1))).hasMessageContaining("after its end");
        assertThatThrownBy(() -> count(Arrays.copyOf(CANON, 10240))).hasMessageContaining("after its end");
    }

    @Test
    void entryThatIsNoPlainFileIsRefusedByType() {
        for (char type : "1234567xgLKS\0".toCharArray()) {
            byte[] tar = CANON.clone();
            tar[156] = (byte) type;
            fixChecksum(tar);
            assertThatThrownBy(() -> count(tar)).hasMessageContaining("is not a plain file");
        }
    }

    @Test
    void fieldWithAnotherValueIsRefusedThoughItsChecksumIsRight() {
        for (int field : new int[] {106, 114, 122, 146, 157, 265, 297, 335, 343, 345, 500}) {
            byte[] tar = CANON.clone();
            tar[field] = '7';
            fixChecksum(tar);
            assertThatThrownBy(() -> count(tar)).as("field at %d", field).hasMessageContaining("not in shard form");
        }
    }

    @Test
    void memberOverTheAllowedSizeIsNotRead() throws IOException {
        try (UstarReader reader = reader(CANON)) {
            reader.next();
            assertThatThrownBy(() -> reader.readAll(6)).hasMessageContaining("over 6");
        }
    }

    private static void fixChecksum(byte[] tar) {
        Arrays.fill(tar, 148, 156, (byte) ' ');
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += tar[i] & 0xff;
        }
        byte[] text = String.format("%06o\0 ", sum).getBytes(UTF_8);
        System.arraycopy(text, 0, tar, 148, 8);
    }

    private static int count(byte[] tar) throws IOException {
        try (UstarReader reader = reader(tar)) {
            int members = 0;
            while (reader.next().isPresent()) {
                members++;
            }
            return members;
        }
    }

    private static UstarReader reader(byte[] tar) {
        return new UstarReader(new ByteArrayInputStream(tar));
    }
}
