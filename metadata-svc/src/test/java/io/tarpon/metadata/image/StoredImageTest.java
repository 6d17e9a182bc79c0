package io.tarpon.metadata.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.EntryFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an image keeps in its store, held against a store of the past: `golden/view-<format>.txt` has the digest of
/// its image, then a line of key and value in hex for each part.
class StoredImageTest {
    private static final byte[] FIRST = {};
    private static final byte[] LAST = {(byte) 0xff};
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void anImageOfThePastIsReadAsItWas() throws IOException {
        var lines = golden();
        var image = new Image(store(lines));
        assertThat(image.digest()).isEqualTo(lines.getFirst());
        assertThat(image.outbox().after(0, Integer.MAX_VALUE)).isNotEmpty();
    }

    /// Otherwise the format is another one, and needs its number.
    @Test
    void anImageOfThePastIsWrittenAsItWas() throws IOException {
        var lines = golden();
        var store = store(lines);
        var image = new Image(store);
        image.datasets.values().forEach(dataset -> {
            image.changed(dataset);
            dataset.versions.values().forEach(image::changed);
        });
        image.nodes.forEach(image::changed);
        image.save();
        assertThat(dump(image, store)).isEqualTo(lines);
    }

    @Test
    void anImageOfANewerLogIsNotOpened() {
        var store = new HeapStore();
        StoredImage.put(
                store,
                new StoredImage.Counters(
                        StoredImage.FORMAT, 1, 0, 0, 0, 0, 0, null, EntryFormat.FORMAT + 1, 1, Instant.EPOCH, null));
        store.commit();
        assertThatThrownBy(() -> new Image(store))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("start a newer one");
    }

    private static List<String> golden() throws IOException {
        var name = "/golden/view-" + StoredImage.FORMAT + ".txt";
        try (var file = StoredImageTest.class.getResourceAsStream(name)) {
            assertThat(file)
                    .as("write the lines of RandomHistory.of(21, 400) to " + name + ":\n" + String.join("\n", made()))
                    .isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }

    private static List<String> made() {
        var store = new HeapStore();
        var image = new Image(store);
        RandomHistory.of(21, 400).forEach(image::replay);
        image.save();
        return dump(image, store);
    }

    private static List<String> dump(Image image, ImageStore store) {
        var lines = new ArrayList<>(List.of(image.digest()));
        store.scan(FIRST, LAST, (key, value) -> lines.add(HEX.formatHex(key) + " " + HEX.formatHex(value)));
        return lines;
    }

    private static HeapStore store(List<String> lines) {
        var store = new HeapStore();
        for (var line : lines.subList(1, lines.size())) {
            var space = line.indexOf(' ');
            store.put(HEX.parseHex(line.substring(0, space)), HEX.parseHex(line.substring(space + 1)));
        }
        store.commit();
        return store;
    }
}
