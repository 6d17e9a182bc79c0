package io.tarpon.ingest.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A disk that gives back other bytes than it was given.
class DamagedRecordTest {
    private static final byte[] RECORD = "class-00001/image_000000001.jpg".getBytes(UTF_8);

    @TempDir
    Path folder;

    @Test
    void recordsAreAsTheFormatSays() throws Exception {
        try (var file = new SpoolArea(folder, 1 << 20).create()) {
            var bytes = written();
            file.append(bytes, 0, bytes.length);
            var records = new FileRecords(file);
            assertThat(records.next()).isTrue();
            assertThat(ByteBuffer.wrap(records.bytes(), records.from(), records.length()))
                    .isEqualTo(ByteBuffer.wrap(RECORD));
            assertThat(records.next()).isFalse();
        }
    }

    @Test
    void anyBitThatIsAnotherIsNoticed() throws Exception {
        var good = written();
        for (int bit = 0; bit < good.length * 8; bit++) {
            var bytes = good.clone();
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
            try (var file = new SpoolArea(folder, 1 << 20).create()) {
                file.append(bytes, 0, bytes.length);
                assertThatThrownBy(() -> new FileRecords(file).next())
                        .as("bit " + bit)
                        .isInstanceOf(SpoolException.class);
            }
        }
    }

    private static byte[] written() {
        var sum = new CRC32C();
        sum.update(RECORD);
        return ByteBuffer.allocate(8 + RECORD.length)
                .putInt(RECORD.length)
                .putInt((int) sum.getValue())
                .put(RECORD)
                .array();
    }
}
