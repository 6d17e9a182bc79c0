package io.tarpon.metadata.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.wire.Digests;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The bytes of a snapshot, held against one of the past: `golden/snapshot-<format>.txt` has the digest of its image,
/// then its bytes in hex.
class SnapshotFormatTest {
    private static final Instant CREATED = Instant.parse("2026-11-23T12:00:00.123Z");
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void aSnapshotOfThePastIsStillRead() throws IOException {
        var golden = golden();
        var store = new HeapStore();
        try (var reader = reader(HEX.parseHex(golden.getLast()))) {
            assertThat(reader.header().created()).isEqualTo(CREATED);
            reader.read(store::put);
        }
        store.commit();
        assertThat(StoredImage.format(store)).isEqualTo(StoredImage.FORMAT);
        assertThat(new Image(store).digest()).isEqualTo(golden.getFirst());
    }

    @Test
    void aSnapshotOfThePastIsWrittenAsItWas() throws IOException {
        var golden = HEX.parseHex(golden().getLast());
        var bytes = new ByteArrayOutputStream();
        SnapshotWriter.Written written;
        try (var reader = reader(golden)) {
            var writer = new SnapshotWriter(bytes, reader.header());
            reader.read(writer::add);
            written = writer.finish();
        }
        assertThat(bytes.toByteArray()).isEqualTo(golden);
        assertThat(written.bytes()).isEqualTo(golden.length);
        assertThat(written.sha256()).isEqualTo(Digests.sha256Hex(golden));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        var pairs = new TreeMap<>(Map.of("a", "one", "aa", "", "b", "two"));
        var header = new SnapshotHeader(1, 7, CREATED, null, null);
        try (var reader = reader(bytes(header, pairs))) {
            assertThat(reader.header()).isEqualTo(header);
            var read = new TreeMap<String, String>();
            assertThat(reader.read((key, value) -> read.put(new String(key, US_ASCII), new String(value, US_ASCII))))
                    .isEqualTo(3);
            assertThat(read).isEqualTo(pairs);
        }
    }

    @Test
    void noPartOfASnapshotIsOne() throws IOException {
        var whole = small();
        for (int length = 0; length < whole.length; length++) {
            var cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> readWhole(cut))
                    .as("cut after %d of %d bytes", length, whole.length)
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining("metadata/snapshot-7");
        }
    }

    @Test
    void aFlippedBitIsFoundWhereverItIs() throws IOException {
        var whole = small();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            var flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> readWhole(flipped))
                    .as("bit %d", bit)
                    .isInstanceOfAny(CorruptFormatException.class, UnknownFormatException.class);
        }
    }

    @Test
    void whatComesAfterTheEndIsFound() throws IOException {
        var longer = Arrays.copyOf(small(), small().length + 1);
        assertThatThrownBy(() -> readWhole(longer)).hasMessageContaining("after its end");
    }

    @Test
    void anUnknownFormatIsNamedWithBothNumbers() throws IOException {
        var newer = small();
        ByteBuffer.wrap(newer).putInt(4, 9);
        assertThatThrownBy(() -> readWhole(newer))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("metadata/snapshot-7")
                .hasMessageContaining("format 9")
                .hasMessageContaining("format " + SnapshotFormat.FORMAT);
    }

    @Test
    void keysGoInInTheirOrderOnly() throws IOException {
        var writer = new SnapshotWriter(new ByteArrayOutputStream(), new SnapshotHeader(1, 7, CREATED, null, null));
        writer.add(new byte[] {1, 2}, new byte[0]);
        assertThatThrownBy(() -> writer.add(new byte[] {1, 2}, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.add(new byte[] {1}, new byte[0])).hasMessageContaining("01 comes after 0102");
        writer.add(new byte[] {(byte) 0x80}, new byte[0]);
        assertThat(writer.finish().pairs()).isEqualTo(2);
    }

    private static byte[] small() throws IOException {
        return bytes(
                new SnapshotHeader(1, 7, CREATED, "0123456789abcdef0123456789abcdef", Digests.sha256Hex(new byte[0])),
                new TreeMap<>(Map.of("a", "one", "b", "two")));
    }

    private static byte[] bytes(SnapshotHeader header, SortedMap<String, String> pairs) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var writer = new SnapshotWriter(bytes, header);
        for (var pair : pairs.entrySet()) {
            writer.add(pair.getKey().getBytes(US_ASCII), pair.getValue().getBytes(US_ASCII));
        }
        writer.finish();
        return bytes.toByteArray();
    }

    private static SnapshotReader reader(byte[] bytes) throws IOException {
        return new SnapshotReader("metadata/snapshot-7", new ByteArrayInputStream(bytes));
    }

    private static void readWhole(byte[] bytes) throws IOException {
        try (var reader = reader(bytes)) {
            reader.read((key, value) -> {});
        }
    }

    private static List<String> golden() throws IOException {
        var name = "/golden/snapshot-" + SnapshotFormat.FORMAT + ".txt";
        try (var file = SnapshotFormatTest.class.getResourceAsStream(name)) {
            assertThat(file).as("write to " + name + ":\n" + made()).isNotNull();
            return new String(file.readAllBytes(), US_ASCII).lines().toList();
        }
    }

    private static String made() throws IOException {
        var store = new HeapStore();
        var image = new Image(store);
        RandomHistory.of(21, 60).forEach(image::replay);
        image.lastEntry(Digests.sha256Hex("the last entry".getBytes(US_ASCII)));
        image.save();
        var bytes = new ByteArrayOutputStream();
        var writer = new SnapshotWriter(
                bytes,
                new SnapshotHeader(
                        StoredImage.FORMAT,
                        image.revision(),
                        CREATED,
                        image.logId().orElse(null),
                        image.lastEntry().orElse(null)));
        var pairs = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
        store.scan(new byte[0], new byte[] {(byte) 0xff}, (key, value) -> pairs.put(key, value) == null);
        for (var pair : pairs.entrySet()) {
            writer.add(pair.getKey(), pair.getValue());
        }
        writer.finish();
        return image.digest() + "\n" + HEX.formatHex(bytes.toByteArray());
    }
}
