package io.tarpon.metadata.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RandomHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An image that is saved now and then, whose process dies in between, is the one that a whole replay gives.
class SavedImageTest {
    private static final int COMMANDS = 3_000;

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aSavedImageGoesOnAsIfNothingHappened(long seed) throws IOException {
        var entries = RandomHistory.of(seed, COMMANDS);
        var whole = new Image(new HeapStore());
        entries.forEach(whole::replay);

        var random = new Random(seed);
        var view = open();
        var image = new Image(view);
        var deaths = 0;
        while (image.revision() < entries.size()) {
            replayNext(image, entries, 1 + random.nextInt(40));
            if (random.nextInt(3) > 0) {
                image.save();
            }
            if (random.nextInt(4) == 0) {
                deaths++;
                view.close();
                view = open();
                image = new Image(view);
            }
        }
        image.save();
        assertThat(deaths).isPositive();
        assertThat(image.digest()).isEqualTo(whole.digest());
        assertThat(image.rejected()).isEqualTo(whole.rejected());
        view.close();
        view = open();
        var loaded = new Image(view);
        assertThat(loaded.digest()).isEqualTo(whole.digest());
        assertThat(loaded.outbox().after(0, Integer.MAX_VALUE))
                .isNotEmpty()
                .isEqualTo(whole.outbox().after(0, Integer.MAX_VALUE));
        view.close();
    }

    /// Otherwise the test above says nothing of some.
    @Test
    void theHistoriesHaveEveryKindOfChange() {
        Set<Class<?>> found = new HashSet<>();
        for (long seed = 1; seed <= 5; seed++) {
            for (var entry : RandomHistory.of(seed, COMMANDS)) {
                entry.records().forEach(record -> found.add(record.getClass()));
            }
        }
        assertThat(found).containsExactlyInAnyOrder(Change.class.getPermittedSubclasses());
    }

    private static void replayNext(Image image, List<Entry> entries, int count) {
        var from = (int) image.revision();
        entries.subList(from, Math.min(entries.size(), from + count)).forEach(image::replay);
    }

    private RocksView open() throws IOException {
        return RocksView.open(temp.resolve("view"), Files.createDirectories(temp.resolve("lib")), 1 << 20);
    }
}
