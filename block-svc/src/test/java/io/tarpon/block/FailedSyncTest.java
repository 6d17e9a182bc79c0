package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.block.client.PeerBlocks;
import io.tarpon.block.disk.DataDirs;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
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
    private DataDirs dirs;
    private BlockIndex index;
    private OpenFiles files;
    private BlockFetch fetch;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        dirs = DataDirs.open(List.of(folder.resolve("data")), 4);
        index = BlockIndex.open(folder.resolve("index").toString());
        files = new OpenFiles(10, OpenFiles.FOR_GOOD, Duration.ZERO);
        var uses = new RecentUse(Clock.systemUTC(), index);
        var capacity = BlockFileHeader.BYTES + (long) shard.block(0).length;
        var shelf = new Shelf(Clock.systemUTC(), dirs, files, index, uses, capacity, 0);
        var metrics = new BlockMetrics(new SimpleMeterRegistry(), shelf::bytes);
        var peers = new PeerBlocks(Duration.ofSeconds(1), Duration.ofSeconds(1));
        fetch = new BlockFetch("node-1", dirs, shelf, new LiveNodes(), peers, new ShardBytes(workshop.store), metrics);
    }

    @AfterEach
    void stop() throws Exception {
        files.close();
        index.close();
        dirs.close();
        workshop.close();
    }

    @Test
    void syncThatFailsLosesTheFileAndNothingElse() throws Exception {
        var failing = fill();
        // On the writer's thread, after the last byte and before the sync, which finds nothing to sync any more.
        var readable = failing.readable(0, shard.block(0).length).thenRun(() -> cutOff(failing));

        assertThatThrownBy(() -> fetch.fetch(failing, FillFrom.STORE))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE));

        assertThat(readable.toCompletableFuture()).isCompleted();
        assertThat(dirs.path(shard.id(0))).doesNotExist();
        assertThat(index.blocks()).isZero();
        try (var left = Files.list(folder.resolve("data").resolve("tmp"))) {
            assertThat(left).isEmpty();
        }
        // The room it had is free again: the capacity is that of one block.
        fetch.fetch(fill(), FillFrom.STORE);
        assertThat(Files.readAllBytes(dirs.path(shard.id(0)))).endsWith(shard.block(0));
        assertThat(index.blocks()).isEqualTo(1);
    }

    private Fill fill() {
        var header = BlockFileHeader.of(shard.index().layout(), 0);
        return new Fill(new BlockPlan(
                header, shard.ref(), shard.ref(), 0, shard.index().block(0).offset()));
    }

    private static void cutOff(Fill fill) {
        try {
            fill.file().channel().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
