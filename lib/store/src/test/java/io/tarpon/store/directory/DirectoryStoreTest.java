package io.tarpon.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.ObjectStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStoreTest extends ObjectStoreContract {
    @TempDir
    Path root;

    private ObjectStore store;

    @BeforeEach
    void open() throws IOException {
        store = DirectoryStore.open(root.resolve("made/by/open"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void nothingIsMissingFromAFolderThatIsAway() throws IOException {
        var folder = root.resolve("made/by/open");
        store.write("a/key", new byte[] {7});
        Files.move(folder, root.resolve("away"));
        Files.createDirectory(folder);

        assertThatThrownBy(() -> store.size("a/key"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not there");
        assertThatThrownBy(() -> store.open("a/key", 0, 1))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoSuchObjectException.class);

        Files.delete(folder);
        Files.move(root.resolve("away"), folder);
        assertThat(store.read("a/key", 1)).containsExactly(7);
        assertThat(store.size("b/key")).isEmpty();
    }

    @Test
    void anotherProcessThatStartsOnTheBareMountPointMakesNothingMissing() throws IOException {
        var folder = root.resolve("made/by/open");
        store.write("a/key", new byte[] {7});
        Files.move(folder, root.resolve("away"));
        DirectoryStore.open(folder).close();
        assertThat(folder.resolve(".tmp")).isDirectory();

        assertThatThrownBy(() -> store.size("a/key"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not there");
        assertThatThrownBy(() -> store.open("a/key", 0, 1))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoSuchObjectException.class);

        Files.move(folder, root.resolve("bare"));
        Files.move(root.resolve("away"), folder);
        assertThat(store.size("a/key")).hasValue(1);
        assertThat(store.size("b/key")).isEmpty();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected List<String> awkwardKeys() {
        var keys = new ArrayList<>(super.awkwardKeys());
        keys.addAll(List.of(
                "../../escape",
                "x/..",
                "dots/./x",
                "/absolute",
                "a//b",
                "a///c",
                "trailing/",
                ".tmp/x",
                ".hidden",
                "long/" + "L".repeat(700),
                "long/" + "L".repeat(699) + "-",
                "long/" + "L".repeat(240) + "/x",
                "long/" + "L".repeat(240) + "-x",
                "long/" + "d".repeat(240) + "..",
                "é".repeat(512),
                "\u0001\u007F",
                "%",
                "%+",
                "a%+/b"));
        return keys;
    }
}
