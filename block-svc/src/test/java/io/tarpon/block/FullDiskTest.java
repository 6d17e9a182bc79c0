package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.store.directory.DirectoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node, its blocks and its index on a disk of 36 MiB that is full (F9). The disk is a tmpfs in a namespace of the
/// node's process; where the system allows no such thing to ordinary users, this is skipped and says so.
class FullDiskTest {
    private static final String DISK = "tmpfs -o size=36m,nr_inodes=400,mode=700 tmpfs";

    @TempDir
    Path folder;

    @BeforeEach
    void store() throws Exception {
        assumeTrue(namespacesAreAllowed(), "no mount namespaces here: a full disk cannot be had");
        try (var store = DirectoryStore.open(folder.resolve("store"))) {
            ForkedNode.LargeShard.make().storedIn(store);
        }
    }

    @Test
    void fullDiskRefusesFillsWhileReadsAndDeletesGoOn() throws Exception {
        var disk = Files.createDirectories(folder.resolve("node-1"));
        var mount = "mount -t " + DISK + " '" + disk + "' && exec \"$@\"";
        var wrapper = List.of("unshare", "-Urm", "sh", "-c", mount, "sh");
        var process = ForkedNode.start(folder, wrapper, "FULL", "block.disk-reserve=0");
        try {
            var lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines();

            assertThat(lines)
                    .containsExactly(
                            "stored 200",
                            "disk full 0",
                            // Bytes were on their way, so this answer is broken rather than short.
                            "mid-write broken",
                            "left behind 0",
                            "early 507 insufficient-storage",
                            "hit 200",
                            "dropped 1",
                            "room again 200",
                            "no inode left",
                            "open 507 insufficient-storage",
                            "hit 200",
                            "files again 200");
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
    }

    private static boolean namespacesAreAllowed() throws Exception {
        var process = new ProcessBuilder("unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
