package io.tarpon.block;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.wire.block.BlockFileHeader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/// Writes one block into a node's state folder, as a node does, and nothing else: `STATE`. In a process of its own, to
/// be killed in the middle of it.
final class WritingProcess {
    /// In two parts, as from a source that pauses.
    private static final int FIRST_PART = 100_000;

    private WritingProcess() {}

    public static void main(String[] args) throws Exception {
        var state = Path.of(args[0]);
        var shard = Workshop.shard();
        var content = shard.block(0);
        var header = BlockFileHeader.of(shard.index().layout(), 0);
        var data = state.resolve("data");
        var index = Files.createDirectories(TestNode.index(state, data)).toString();
        try (var folder = DataFolder.open(data, 4);
                var entries = BlockIndex.open(index);
                var files = new OpenFiles(10, OpenFiles.FOR_GOOD, Duration.ZERO)) {
            var clock = Clock.systemUTC();
            var shelf =
                    new Shelf(clock, folder, files, entries, new RecentUse(clock, entries), 1 << 30, 0, Runnable::run);
            shelf.reserve(header.id(), header.fileBytes());
            try (var writer = shelf.create(header)) {
                writer.write(ByteBuffer.wrap(content, 0, FIRST_PART));
                writer.write(ByteBuffer.wrap(content, FIRST_PART, content.length - FIRST_PART));
                var file = writer.commit();
                shelf.add(file);
            }
        }
        System.exit(0);
    }
}
