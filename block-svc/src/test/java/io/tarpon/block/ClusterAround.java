package io.tarpon.block;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.tarpon.store.directory.DirectoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a node needs around it: a store folder with one shard, and metadata-svc's REST.
public final class ClusterAround implements QuarkusTestResourceLifecycleManager {
    private @Nullable Path folder;
    private @Nullable MetadataServer metadata;

    @Override
    public Map<String, String> start() {
        try {
            var home = Files.createTempDirectory("tarpon-block");
            folder = home;
            try (var store = DirectoryStore.open(home.resolve("store"))) {
                shard().storedIn(store);
            }
            var server = new MetadataServer().with(shard());
            metadata = server;
            var token = Files.writeString(home.resolve("token"), MetadataServer.TOKEN);
            return Map.of(
                    "tarpon.token-file", token.toString(),
                    "tarpon.metadata.url", server.url().toString(),
                    "tarpon.store.directory.root", home.resolve("store").toString(),
                    "tarpon.block.dir", home.resolve("state").toString(),
                    "tarpon.block.capacity", "64MiB");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        if (metadata != null) {
            metadata.close();
        }
        if (folder != null) {
            delete(folder);
        }
    }

    static TestShard shard() {
        return TestShard.random("demo/v1/train/shard-000000", 1, 16, 100_000, 512 << 10);
    }

    private static void delete(Path tree) {
        try (var files = Files.walk(tree)) {
            for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
