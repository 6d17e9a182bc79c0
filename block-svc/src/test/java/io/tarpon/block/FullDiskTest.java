package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.testkit.FullDisk;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node, its blocks and its index on a disk of 36 MiB that is full (F9). The disk is a tmpfs in a namespace of the
/// node's process; where the system allows no such thing to ordinary users, this is skipped and says so.
class FullDiskTest {
    private static final String DISK = "size=36m,nr_inodes=400";

    @TempDir
    Path folder;

    @BeforeEach
    void store() throws Exception {
        assumeTrue(FullDisk.isToBeHad(), "no mount namespaces here: a full disk cannot be had");
        try (var store = DirectoryStore.open(folder.resolve("store"))) {
            ForkedNode.LargeShard.make().storedIn(store);
        }
    }

    @Test
    void fullDiskRefusesFillsWhileReadsAndDeletesGoOn() throws Exception {
        var command = ForkedNode.command(folder, "FULL", "block.disk-reserve=0");
        var process = ForkedNode.start(folder, FullDisk.under(folder.resolve("node-1"), DISK, command));
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
}
