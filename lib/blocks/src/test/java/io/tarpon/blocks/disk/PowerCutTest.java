package io.tarpon.blocks.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.power.PowerCut;
import io.tarpon.testkit.power.PowerCutDisk;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The power goes before each step of writing blocks; of what a disk may keep then, some states are opened.
class PowerCutTest {
    private static final int STATES = 20;
    private static final int BLOCKS = 3;
    private static final SmallShard SHARD = SmallShard.random(31);

    @TempDir
    Path scratch;

    @Test
    void aFileThatHasItsNameIsWholeAndOneThatWasCommittedHasIt() throws Exception {
        var seed = System.nanoTime();
        System.out.println("power cuts of seed " + seed);
        var random = new Random(seed);
        var whole = new PowerCutDisk();
        fill(whole, new ArrayList<>());
        var lost = 0;
        for (int step = 0; step < whole.steps(); step++) {
            var disk = new PowerCutDisk();
            var committed = new ArrayList<Integer>();
            disk.cutAt(step);
            try {
                fill(disk, committed);
                throw new AssertionError("the power went on at step " + step);
            } catch (PowerCut e) {
                // As ordered.
            }
            for (int state = 0; state < STATES; state++) {
                var folder = scratch.resolve(step + "-" + state);
                disk.leave(folder, random);
                var there = wholeIn(folder.resolve("data"), "seed " + seed + " step " + step + " state " + state);
                lost += there.size() < BLOCKS ? 1 : 0;
                assertThat(there).containsAll(committed);
            }
        }
        assertThat(lost).as("states in which a block was lost that might be").isPositive();
    }

    private static void fill(PowerCutDisk disk, List<Integer> committed) throws IOException {
        var data = disk.root().resolve("data");
        DirectorySync.create(data);
        for (int block = 0; block < BLOCKS; block++) {
            try (var writer = BlockFileWriter.create(data, header(block))) {
                writer.write(ByteBuffer.wrap(SHARD.block(block)));
                writer.commit().release();
            }
            committed.add(block);
        }
    }

    /// The blocks that have their names; each opens and matches.
    private static List<Integer> wholeIn(Path data, String as) throws IOException {
        var there = new ArrayList<Integer>();
        if (Files.isDirectory(data)) {
            BlockFileWriter.clearTemporary(data);
        }
        for (int block = 0; block < BLOCKS; block++) {
            try {
                var path = data.resolve(BlockPath.relative(header(block).id()));
                var file = BlockFile.open(path, header(block));
                file.verify(0, file.length());
                file.release();
                there.add(block);
            } catch (NoSuchFileException e) {
                assertThat(e.getFile()).as(as).contains(data.toString());
            }
        }
        return there;
    }

    private static BlockFileHeader header(int block) {
        return BlockFileHeader.of(SHARD.index().layout(), block);
    }
}
