package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.block.client.PeerBlocks;
import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A sync that fails after the last byte was checked: the file counts as lost, whatever the disk says later.
class FailedSyncTest {
    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;
    private Disk disk;
    private BlockFetch fetch;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        var capacity = BlockFileHeader.BYTES + (long) shard.block(0).length;
        var share = new DiskShare(
                Clock.systemUTC(), capacity, 0, 10, Duration.ZERO, Duration.ofSeconds(20), 1, 10, 1, 10, 1, 10);
        var data = DataFolder.open(folder.resolve("data"), 4);
        disk = new Disk(data, BlockIndex.open(folder.resolve("index").toString()), share);
        var metrics = new BlockMetrics(new SimpleMeterRegistry(), disk.shelf()::bytes);
        var peers = new PeerBlocks(Duration.ofSeconds(1), Duration.ofSeconds(1));
        fetch = new BlockFetch("node-1", new LiveNodes(), peers, new ShardBytes(workshop.store), metrics);
    }

    @AfterEach
    void stop() throws Exception {
        disk.close();
        workshop.close();
    }

    @Test
    void syncThatFailsLosesTheFileAndNothingElse() throws Exception {
        var failing = fill();
        // On the writer's thread, after the last byte and before the sync, which finds nothing to sync any more.
        var readable = failing.readable(0, shard.block(0).length).thenRun(() -> cutOff(failing));

        assertThatThrownBy(() -> fetch(failing))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE));

        assertThat(readable.toCompletableFuture()).isCompleted();
        assertThat(disk.folder().file(shard.id(0))).doesNotExist();
        assertThat(disk.shelf().blocks()).isZero();
        try (var left = Files.list(folder.resolve("data").resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
        // The room it had is free again: the capacity is that of one block.
        fetch(fill());
        assertThat(Files.readAllBytes(disk.folder().file(shard.id(0)))).endsWith(shard.block(0));
        assertThat(disk.shelf().blocks()).isEqualTo(1);
    }

    private void fetch(Fill fill) throws IOException {
        fetch.fetch(fill, fill.nextAttempt().orElseThrow(), FillFrom.STORE, disk, new CompletableFuture<>());
    }

    private Fill fill() {
        var header = BlockFileHeader.of(shard.index().layout(), 0);
        return new Fill(new BlockPlan(
                header,
                shard.ref(),
                ObjectKeys.tar(shard.ref(), TestShard.ATTEMPT),
                0,
                shard.index().block(0).offset()));
    }

    private static void cutOff(Fill fill) {
        try {
            fill.file().channel().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
