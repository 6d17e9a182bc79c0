package io.tarpon.metadata.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every store of an image does, held against a map by random changes.
public abstract class ImageStoreContract {
    private static final int STEPS = 4_000;
    private static final int KEYS = 40;

    private final NavigableMap<byte[], byte[]> here = new TreeMap<>(Arrays::compareUnsigned);
    private final NavigableMap<byte[], byte[]> committed = new TreeMap<>(Arrays::compareUnsigned);

    /// The store, empty at first.
    protected abstract ImageStore open() throws IOException;

    /// The store after the death of its process.
    protected abstract ImageStore crashed(ImageStore store) throws IOException;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsChangedIsReadAndWhatIsCommittedStays(long seed) throws IOException {
        var random = new Random(seed);
        var store = open();
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(12)) {
                case 0 -> {
                    store.commit();
                    committed.clear();
                    committed.putAll(here);
                }
                case 1 -> {
                    if (random.nextInt(20) == 0) {
                        store = crashed(store);
                        here.clear();
                        here.putAll(committed);
                    }
                }
                case 2 -> {
                    var from = key(random);
                    var to = key(random);
                    store.deleteAll(from, to);
                    if (Arrays.compareUnsigned(from, to) < 0) {
                        here.subMap(from, true, to, false).clear();
                    }
                }
                case 3, 4 -> {
                    var key = key(random);
                    store.delete(key);
                    here.remove(key);
                }
                case 5, 6, 7, 8 -> {
                    var key = key(random);
                    var value = new byte[random.nextInt(5)];
                    random.nextBytes(value);
                    store.put(key, value);
                    here.put(key, value);
                }
                case 9 -> {
                    var key = key(random);
                    assertThat(store.get(key)).as("step %d", step).isEqualTo(here.get(key));
                }
                default -> compare(store, key(random), key(random), 1 + random.nextInt(KEYS), step);
            }
        }
        store.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsFrozenStaysAsItWasCommitted(long seed) throws IOException {
        var random = new Random(seed);
        var store = open();
        for (int round = 0; round < 20; round++) {
            change(store, random, 100);
            store.commit();
            var expected = all(here);
            // Not committed yet, so not of it.
            change(store, random, 10);
            try (var frozen = store.freeze()) {
                change(store, random, 50);
                store.commit();
                var found = new ArrayList<String>();
                frozen.scan((key, value) -> {
                    change(store, random, 1);
                    store.commit();
                    assertThat(frozen.get(key)).isEqualTo(value);
                    return found.add(text(key, value));
                });
                assertThat(found).as("round %d", round).isEqualTo(expected);
                found.clear();
                frozen.scan((key, value) -> found.add(text(key, value)) && found.size() < 2);
                assertThat(found).isEqualTo(expected.subList(0, Math.min(2, expected.size())));
            }
        }
        compare(store, new byte[0], new byte[] {-1, -1, -1}, Integer.MAX_VALUE, 0);
        store.close();
    }

    private void change(ImageStore store, Random random, int changes) {
        for (int i = 0; i < changes; i++) {
            var key = key(random);
            if (random.nextInt(3) == 0) {
                store.delete(key);
                here.remove(key);
            } else {
                var value = new byte[random.nextInt(5)];
                random.nextBytes(value);
                store.put(key, value);
                here.put(key, value);
            }
        }
    }

    private static List<String> all(NavigableMap<byte[], byte[]> values) {
        return values.entrySet().stream()
                .map(entry -> text(entry.getKey(), entry.getValue()))
                .toList();
    }

    private void compare(ImageStore store, byte[] from, byte[] to, int limit, int step) {
        var found = new ArrayList<String>();
        store.scan(from, to, (key, value) -> {
            found.add(text(key, value));
            return found.size() < limit;
        });
        List<String> expected = Arrays.compareUnsigned(from, to) >= 0
                ? List.of()
                : here.subMap(from, true, to, false).entrySet().stream()
                        .limit(limit)
                        .map(entry -> text(entry.getKey(), entry.getValue()))
                        .toList();
        assertThat(found).as("step %d", step).isEqualTo(expected);
    }

    private static String text(byte[] key, byte[] value) {
        return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value);
    }

    /// Of one or two bytes, of which some are negative.
    private static byte[] key(Random random) {
        var number = random.nextInt(KEYS);
        return number % 3 == 0 ? new byte[] {(byte) (number * 7)} : new byte[] {(byte) (number * 7), (byte) number};
    }
}
