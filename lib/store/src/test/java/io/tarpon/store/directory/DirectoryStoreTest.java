package io.tarpon.store.directory;

import io.tarpon.store.ObjectStore;
import io.tarpon.store.ObjectStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
