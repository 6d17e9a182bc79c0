package io.tarpon.blocks.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.testkit.power.PowerCutDisk;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockPath;
import io.tarpon.wire.index.Block;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFileWriterTest {
    private static final int SUB_BLOCK = SmallShard.SUB_BLOCK_BYTES;
    private static final SmallShard SHARD = SmallShard.random(9);

    @TempDir
    Path dataDir;

    @Test
    void everyBlockFilledInAnyPiecesOpensWholeUnderItsName() throws IOException {
        long seed = 17;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < SHARD.index().blockCount(); i++) {
            BlockFileHeader header = BlockFileHeader.of(SHARD.index().layout(), i);
            byte[] block = block(i);
            try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header)) {
                fill(writer, block, random);
                writer.commit().release();
            }
            BlockFile file = BlockFile.open(dataDir.resolve(BlockPath.relative(header.id())), header);
            ByteBuffer read = ByteBuffer.allocate(block.length);
            file.read(read, 0);
            assertThat(read.array()).isEqualTo(block);
            file.release();
        }
        assertThat(temporaries()).isEmpty();
    }

    @Test
    void readersSeeCheckedSubBlocksBeforeTheBlockIsWhole() throws IOException {
        byte[] block = block(1);
        try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header())) {
            BlockFile file = writer.file().retain();
            writer.write(ByteBuffer.wrap(block, 0, SUB_BLOCK + 100));
            assertThat(writer.verifiedBytes()).isEqualTo(SUB_BLOCK);
            assertThat(file.isVerified(0, SUB_BLOCK)).isTrue();
            assertThat(file.isVerified(0, SUB_BLOCK + 1)).isFalse();
            ByteBuffer read = ByteBuffer.allocate(SUB_BLOCK);
            file.read(read, 0);
            assertThat(read.array()).isEqualTo(Arrays.copyOf(block, SUB_BLOCK));
            writer.write(ByteBuffer.wrap(block, SUB_BLOCK + 100, block.length - SUB_BLOCK - 100));
            writer.commit().release();
            assertThat(file.isVerified(0, file.length())).isTrue();
            assertThat(file.path()).isEqualTo(target());
            file.verify(0, file.length());
            file.release();
        }
    }

    @Test
    void damagedBytesAreRefusedAndNeverGetAName() throws IOException {
        byte[] block = block(1);
        block[2 * SUB_BLOCK + 5] ^= 1;
        BlockFileWriter writer = BlockFileWriter.create(dataDir, header());
        assertThatThrownBy(() -> writer.write(ByteBuffer.wrap(block)))
                .isInstanceOfSatisfying(
                        DamagedBlockException.class,
                        e -> assertThat(e.subBlock()).isEqualTo(2));
        assertThat(writer.verifiedBytes()).isEqualTo(2 * SUB_BLOCK);
        assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
        writer.close();
        assertThat(target()).doesNotExist();
        assertThat(temporaries()).isEmpty();
    }

    @Test
    void anotherSourceContinuesWhereTheLastCheckedSubBlockEnds() throws IOException {
        byte[] block = block(1);
        byte[] damaged = block.clone();
        damaged[2 * SUB_BLOCK + 5] ^= 1;
        try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header())) {
            assertThatThrownBy(() -> writer.write(ByteBuffer.wrap(damaged))).isInstanceOf(DamagedBlockException.class);
            writer.rewind();
            int checked = (int) writer.verifiedBytes();
            writer.write(ByteBuffer.wrap(block, checked, SUB_BLOCK / 2));
            writer.rewind();
            assertThat(writer.verifiedBytes()).isEqualTo(checked).isEqualTo(2 * SUB_BLOCK);
            writer.write(ByteBuffer.wrap(block, checked, block.length - checked));
            writer.commit().release();
        }
        BlockFile file = BlockFile.open(target(), header());
        file.verify(0, block.length);
        file.release();
    }

    @Test
    void blockThatIsNotWholeIsNotCommitted() throws IOException {
        byte[] block = block(1);
        try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header())) {
            writer.write(ByteBuffer.wrap(block, 0, block.length - 1));
            assertThatThrownBy(writer::commit).hasMessageContaining(" of " + block.length);
        }
        assertThat(target()).doesNotExist();
    }

    @Test
    void bytesAfterTheEndOfTheBlockAreRefused() throws IOException {
        byte[] block = Arrays.copyOf(block(1), block(1).length + 1);
        try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header())) {
            assertThatThrownBy(() -> writer.write(ByteBuffer.wrap(block))).hasMessageContaining("after the end");
        }
    }

    @Test
    void readerKeepsWhatIsVerifiedWhenTheFillIsGivenUp() throws IOException {
        byte[] block = block(1);
        BlockFileWriter writer = BlockFileWriter.create(dataDir, header());
        BlockFile file = writer.file().retain();
        writer.write(ByteBuffer.wrap(block, 0, SUB_BLOCK));
        writer.close();
        ByteBuffer read = ByteBuffer.allocate(SUB_BLOCK);
        file.read(read, 0);
        assertThat(read.array()).isEqualTo(Arrays.copyOf(block, SUB_BLOCK));
        file.release();
        assertThat(temporaries()).isEmpty();
    }

    @Test
    void whatACrashLeftIsClearedAndTheFinishedFilesStay() throws IOException {
        assertThat(BlockFileWriter.clearTemporary(dataDir)).isZero();
        BlockFileWriter crashed = BlockFileWriter.create(dataDir, header());
        try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header())) {
            writer.write(ByteBuffer.wrap(block(1)));
            writer.commit().release();
        }
        assertThat(BlockFileWriter.clearTemporary(dataDir)).isEqualTo(1);
        assertThat(target()).exists();
        assertThat(temporaries()).isEmpty();
        crashed.close();
    }

    @Test
    void folderThatCannotBeListedFailsAsADiskDoes() throws IOException {
        var disk = new PowerCutDisk();
        var data = Files.createDirectories(disk.root().resolve("data"));
        Files.createDirectories(data.resolve("tmp"));
        disk.failListings();

        assertThatThrownBy(() -> BlockFileWriter.clearTemporary(data)).isInstanceOf(IOException.class);
    }

    @Test
    void damagedFileIsReplacedByTheNextFill() throws IOException {
        Files.createDirectories(target().getParent());
        Files.write(target(), new byte[] {1, 2, 3});
        try (BlockFileWriter writer = BlockFileWriter.create(dataDir, header())) {
            writer.write(ByteBuffer.wrap(block(1)));
            writer.commit().release();
        }
        BlockFile.open(target(), header()).release();
    }

    private static void fill(BlockFileWriter writer, byte[] block, Random random) throws IOException {
        int position = 0;
        while (position < block.length) {
            int length = Math.min(1 + random.nextInt(3 * SUB_BLOCK), block.length - position);
            writer.write(ByteBuffer.wrap(block, position, length));
            position += length;
        }
    }

    private List<Path> temporaries() throws IOException {
        try (var files = Files.list(dataDir.resolve("tmp"))) {
            return files.toList();
        }
    }

    private Path target() {
        return dataDir.resolve(BlockPath.relative(header().id()));
    }

    private static BlockFileHeader header() {
        return BlockFileHeader.of(SHARD.index().layout(), 1);
    }

    private static byte[] block(int number) {
        Block block = SHARD.index().block(number);
        return Arrays.copyOfRange(SHARD.tar(), (int) block.offset(), (int) block.end());
    }
}
