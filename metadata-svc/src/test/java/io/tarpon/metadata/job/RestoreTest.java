package io.tarpon.metadata.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.disk.MovableFolder;
import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.metadata.image.SavedImage;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.snapshot.SnapshotHeader;
import io.tarpon.metadata.snapshot.SnapshotWriter;
import io.tarpon.metadata.view.RocksView;
import io.tarpon.wire.format.CorruptFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A snapshot of one folder that becomes the metadata of another.
class RestoreTest {
    private static final String LOCALHOST = "127.0.0.1:1";
    private static final int COMMANDS = 300;

    @TempDir
    Path temp;

    @Test
    void restoredMetadataIsWhatTheSnapshotWasOfUnderAnotherLog() throws Exception {
        var history = RandomHistory.of(7, COMMANDS);
        var file = snapshot(history);
        var restored = restore("new", file);
        assertThat(restored.revision()).isEqualTo(history.size());
        assertThat(restored.bytes()).isEqualTo(Files.size(file));

        var before = new Image(new HeapStore());
        history.forEach(before::replay);
        try (var state = StateFolder.open(temp.resolve("new"));
                var log = Places.local(state);
                var view = RocksView.open(state.view(), state.libraries(), 1 << 20)) {
            assertThat(log.begin()).isEqualTo(history.size());
            assertThat(log.end()).isEqualTo(history.size());
            assertThat(log.publishedUpTo()).isEqualTo(history.size());
            var image = new Image(view);
            assertThat(image.revision()).isEqualTo(before.revision());
            assertThat(image.reads().nodes()).isEqualTo(before.reads().nodes());
            assertThat(image.logId())
                    .isPresent()
                    .isNotEqualTo(before.logId())
                    .isEqualTo(state.logId().id());
            assertThat(image.lastEntry()).as("known by its sum").isPresent();
        }
    }

    @Test
    void entriesOfTheOldLogMeanNothingInTheRestoredOne() throws Exception {
        var history = RandomHistory.of(7, COMMANDS);
        var later = RandomHistory.of(7, 2 * COMMANDS);
        restore("new", snapshot(history));
        var places = new Places(temp.resolve("new"), LOCALHOST);
        var before = places.digestLocally();
        places.locally(log -> log.append(EntryFormat.encode(later.get(history.size()))));
        assertThatThrownBy(places::digestLocally).hasMessageContaining("log");
        assertThat(before).startsWith(history.size() + " ");
    }

    @Test
    void snapshotIsRestoredOnlyWhereThereIsNoMetadata() throws Exception {
        var file = snapshot(RandomHistory.of(7, COMMANDS));
        var places = new Places(temp.resolve("new"), LOCALHOST);
        places.make(Places.entries(3), 0);
        assertThatThrownBy(() -> restore("new", file))
                .hasMessageContaining("holds metadata of revision 3")
                .hasMessageContaining("empty folder");
        places.locally(log -> assertThat(Places.all(log)).hasSize(3));

        StateFolder.openFollowing(temp.resolve("following")).close();
        assertThatThrownBy(() -> restore("following", file)).hasMessageContaining("move kafka");
    }

    @Test
    void folderWithAnEmptyLogTakesASnapshot() throws Exception {
        var history = RandomHistory.of(7, COMMANDS);
        var places = new Places(temp.resolve("new"), LOCALHOST);
        places.make(List.of(), 0);
        assertThat(restore("new", snapshot(history)).revision()).isEqualTo(history.size());
        places.locally(log -> assertThat(log.begin()).isEqualTo(history.size()));
    }

    @Test
    void fileThatIsNotWholeChangesNothing() throws Exception {
        var file = snapshot(RandomHistory.of(7, COMMANDS));
        var bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> restore("new", file)).isInstanceOf(CorruptFormatException.class);
        assertThat(temp.resolve("new")).doesNotExist();
        assertThatThrownBy(() -> restore("new", temp.resolve("none"))).hasMessageContaining("there is no file");
    }

    @ParameterizedTest
    @EnumSource(
            value = Witness.Step.class,
            names = {"READ", "COPIED"})
    void restoreThatEndsAtAStepIsNoMetadataAndCanBeRunAgain(Witness.Step step) throws Exception {
        var history = RandomHistory.of(7, COMMANDS);
        var file = snapshot(history);
        assertThatThrownBy(() -> new Restore(temp.resolve("new"), new Places.KillsAt(step)).run(file))
                .isInstanceOf(Places.Killed.class);
        if (step == Witness.Step.COPIED) {
            assertThatThrownBy(() -> StateFolder.open(temp.resolve("new")))
                    .hasMessageContaining("restore")
                    .hasMessageContaining("again");
            assertThatThrownBy(() -> MovableFolder.open(temp.resolve("new"))).hasMessageContaining("again");
        }
        assertThat(restore("new", file).revision()).isEqualTo(history.size());
        assertThat(new Places(temp.resolve("new"), LOCALHOST).digestLocally()).startsWith(history.size() + " ");
    }

    private Restored restore(String name, Path file) throws IOException, InterruptedException {
        return new Restore(temp.resolve(name), new Places.Patient()).run(file);
    }

    /// As the service writes it, of a view that has replayed that.
    private Path snapshot(List<Entry> history) throws IOException, InterruptedException {
        var places = new Places(temp.resolve("old"), LOCALHOST);
        places.make(history.stream().map(EntryFormat::encode).toList(), 0);
        var _ = places.digestLocally();
        var file = temp.resolve("snapshot");
        try (var state = StateFolder.open(temp.resolve("old"));
                var view = RocksView.open(state.view(), state.libraries(), 1 << 20);
                var saved = new Image(view).saved();
                var out = Files.newOutputStream(file)) {
            var header = new SnapshotHeader(
                    StoredImage.FORMAT,
                    saved.revision(),
                    Instant.EPOCH,
                    saved.logId().orElse(null),
                    saved.lastEntry().orElse(null));
            write(saved, new SnapshotWriter(out, header));
        }
        return file;
    }

    private static void write(SavedImage saved, SnapshotWriter writer) throws IOException {
        saved.scan((key, value) -> {
            try {
                writer.add(key, value);
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.finish();
    }
}
