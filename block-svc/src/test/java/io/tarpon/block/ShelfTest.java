package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockFileHeader;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShelfTest {
    @TempDir
    Path folder;

    @Test
    void whoLetsAFileThatWasNeverStoredGoLastDoesNotCloseIt() throws Exception {
        var shard = TestShard.random("demo/v1/train/shard-000000", 1, 4, 100_000, 512 << 10);
        var closings = new ArrayDeque<Runnable>();
        try (var data = DataFolder.open(folder.resolve("data"), 4);
                var index = BlockIndex.open(folder.resolve("index").toString());
                var files = new OpenFiles(10, OpenFiles.FOR_GOOD, Duration.ZERO)) {
            var clock = Clock.systemUTC();
            var uses = new RecentUse(clock, index);
            var shelf = new Shelf(clock, data, files, index, uses, 1 << 20, 0, closings::add);
            var writer = shelf.create(BlockFileHeader.of(shard.index().layout(), 0));
            var held = writer.file().retain();
            writer.close();

            held.release();

            assertThat(held.channel().isOpen()).isTrue();
            assertThat(closings).hasSize(1);
            closings.remove().run();
            assertThat(held.channel().isOpen()).isFalse();
        }
    }
}
