package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens to a process, happens to a real one.
class ProcessTest {
    @TempDir
    Path folder;

    private final TestShard shard = ForkedNode.LargeShard.make();

    @BeforeEach
    void store() throws Exception {
        try (var store = DirectoryStore.open(folder.resolve("store"))) {
            shard.storedIn(store);
        }
    }

    @Test
    void killInTheMiddleOfAWriteLeavesNothingHalfVisible() throws Exception {
        var process = ForkedNode.start(folder, "HANG");
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            assertThat(out.readLine()).isEqualTo("half written");
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        var tmp = folder.resolve("node-1").resolve("state").resolve("data").resolve("tmp");
        try (var left = Files.list(tmp)) {
            assertThat(left).hasSize(1);
        }

        try (var store = new FailingStore(DirectoryStore.open(folder.resolve("store")));
                var metadata = new MetadataServer().with(shard);
                var node = new TestNode(folder.resolve("node-1"), store, metadata, Map.of())) {
            assertThat(node.names("tmp")).isEmpty();
            assertThat(node.wiring.facts().blocks()).isZero();
            assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        }
    }

    @Test
    void fileThatMayNotGrowIsInsufficientStorageAndLeavesNothing() throws Exception {
        var process = ForkedNode.start(folder, "PASS");
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            assertThat(out.readLine()).isEqualTo("ready");
            limitFiles(process, 6 << 20);
            // Bytes were on their way when the write failed, so this answer is broken rather than short.
            assertThat(out.readLine()).isEqualTo("first broken");
            assertThat(out.readLine()).isEqualTo("files 0");
            assertThat(out.readLine()).isEqualTo("last 200");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
        assertThat(folder.resolve("stderr")).content().contains("is full; free space");
    }

    /// From now on no file of the process grows beyond so many bytes: a write that would fails as on a full disk.
    private static void limitFiles(Process process, long bytes) throws Exception {
        var limit = new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes)
                .inheritIO()
                .start();
        assertThat(limit.waitFor()).isZero();
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }
}
