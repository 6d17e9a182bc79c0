package io.tarpon.metadata.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowsTest {
    private static final int ENTRIES = 16;

    /// However the entries came in batches, and however often the process began anew.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSameEntriesComeToTheSame(long seed) {
        var entries = RandomHistory.of(seed, 600);
        var wanted = windows(entries);
        assertThat(wanted).hasSize(entries.size() / ENTRIES);
        var random = new Random(seed);
        var store = new HeapStore();
        var image = image(store);
        var compared = 0;
        for (var entry : entries) {
            var window = image.replay(entry).window();
            if (window != null) {
                assertThat(window).isEqualTo(wanted.get(window.end()));
                compared++;
            }
            if (random.nextInt(5) == 0) {
                image.save();
                if (random.nextInt(20) == 0) {
                    image = image(store);
                }
            }
        }
        assertThat(compared).isBetween(1, wanted.size() - 1);
    }

    /// One entry is taken for rejected.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatComesToSomethingElseIsFoundInItsWindow(long seed) {
        var entries = new ArrayList<>(RandomHistory.of(seed, 600));
        var right = windows(entries);
        var applied = applied(entries);
        var random = new Random(seed);
        for (var tries = 0; tries < 30; tries++) {
            var altered = applied.get(random.nextInt(applied.size()));
            var entry = entries.get(altered);
            entries.set(altered, rejected(entry));
            var end = (long) (altered / ENTRIES + 1) * ENTRIES;
            assertThat(differs(entries.subList(0, (int) end), right)).isTrue();
            entries.set(altered, entry);
        }
    }

    /// Otherwise builds of one form take each other for wrong: what is summed is another, and needs its own number.
    @Test
    void theSumsOfAFormStayWhatTheyAre() {
        var windows = windows(RandomHistory.of(1, 600));
        assertThat(List.of(windows.firstEntry().getValue(), windows.lastEntry().getValue()))
                .containsExactly(
                        new WindowDigest("", 1, 16, "b32509c760416be8"),
                        new WindowDigest("0".repeat(32), 1, 368, "99754184e3e0f8bd"));
    }

    @Test
    void whatIsChangedBesidesReplayIsNotSummed() {
        var entries = RandomHistory.of(7, 200);
        var image = image(new HeapStore());
        var windows = new TreeMap<Long, WindowDigest>();
        for (var entry : entries) {
            keep(image.replay(entry), windows);
            image.store.deleteAll(StoreKeys.events(), StoreKeys.after(StoreKeys.events()));
        }
        assertThat(windows).isEqualTo(windows(entries)).isNotEmpty();
    }

    /// Which entries in whole windows are applied.
    private static List<Integer> applied(List<Entry> entries) {
        var image = image(new HeapStore());
        var applied = new ArrayList<Integer>();
        for (var number = 0; number < entries.size() / ENTRIES * ENTRIES; number++) {
            if (image.replay(entries.get(number)).applied()) {
                applied.add(number);
            }
        }
        return applied;
    }

    /// Whether the last window does, and none before it; or the image cannot go on, which is found as well.
    private static boolean differs(List<Entry> entries, NavigableMap<Long, WindowDigest> right) {
        try {
            var windows = windows(entries);
            var last = windows.lastEntry();
            assertThat(windows.headMap(last.getKey())).isEqualTo(right.headMap(last.getKey()));
            return !last.getValue().equals(right.get(last.getKey()));
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private static Entry rejected(Entry entry) {
        return new Entry(
                entry.idempotenceKey(),
                entry.at(),
                entry.traceparent(),
                new TreeMap<>(Map.of("log", Long.MAX_VALUE)),
                entry.records(),
                entry.log());
    }

    private static NavigableMap<Long, WindowDigest> windows(List<Entry> entries) {
        var image = image(new HeapStore());
        var windows = new TreeMap<Long, WindowDigest>();
        entries.forEach(entry -> keep(image.replay(entry), windows));
        return windows;
    }

    private static void keep(Replayed replayed, NavigableMap<Long, WindowDigest> windows) {
        var window = replayed.window();
        if (window != null) {
            windows.put(window.end(), window);
        }
    }

    private static Image image(HeapStore store) {
        return new Image(store, Long.MAX_VALUE, Long.MAX_VALUE, ENTRIES);
    }
}
