package io.tarpon.block;

import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// A store folder, a metadata server and nodes over them, closed together.
final class Workshop implements AutoCloseable {
    /// About 1.6 MB in blocks of half a MiB: three whole ones and a rest.
    static final int SAMPLES = 16;

    static final int SAMPLE_BYTES = 100_000;
    static final int BLOCK_TARGET = 512 << 10;

    final FailingStore store;
    final MetadataServer metadata = new MetadataServer();
    final TestShard shard;
    private final Path folder;
    private final Deque<TestNode> nodes = new ArrayDeque<>();

    Workshop(Path folder) throws IOException {
        this.folder = folder;
        store = new FailingStore(DirectoryStore.open(folder.resolve("store")));
        shard = shard().storedIn(store);
        metadata.with(shard);
    }

    /// The same in every process.
    static TestShard shard() {
        return TestShard.random("demo/v1/train/shard-000000", 1, SAMPLES, SAMPLE_BYTES, BLOCK_TARGET);
    }

    /// Starts a node, or starts it again in the folder it left.
    TestNode node(String name, String... settings) throws Exception {
        var values = new HashMap<String, String>();
        for (var i = 0; i < settings.length; i += 2) {
            values.put(settings[i], settings[i + 1]);
        }
        return node(name, store, values);
    }

    /// A node with a view of the store of its own.
    TestNode node(String name, FailingStore own, Map<String, String> settings) throws Exception {
        var node = new TestNode(folder.resolve(name), own, metadata, settings);
        nodes.push(node);
        return node;
    }

    /// Another view of the same store folder.
    FailingStore view() throws IOException {
        return new FailingStore(DirectoryStore.open(folder.resolve("store")));
    }

    /// How many nodes run.
    int running() {
        return nodes.size();
    }

    void stop(TestNode node) throws Exception {
        nodes.remove(node);
        node.close();
    }

    @Override
    public void close() throws Exception {
        store.openGate();
        while (!nodes.isEmpty()) {
            nodes.pop().close();
        }
        metadata.close();
        store.close();
    }
}
