package io.tarpon.blocks.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFileTest {
    private static final int SUB_BLOCK = SmallShard.SUB_BLOCK_BYTES;
    private static final SmallShard SHARD = SmallShard.random(8);
    private static final BlockFileHeader HEADER =
            BlockFileHeader.of(SHARD.index().layout(), 1);

    @TempDir
    Path folder;

    @Test
    void readBytesAreThoseOfTheBlock() throws IOException {
        BlockFile file = BlockFile.open(write(whole()), HEADER);
        ByteBuffer read = ByteBuffer.allocate(1000);
        file.read(read, 700);
        assertThat(read.array()).isEqualTo(Arrays.copyOfRange(block(), 700, 1700));
        file.release();
    }

    @Test
    void aCutIsSeenAtOnceOrForSmallReadsAMomentLater() throws IOException {
        Path path = write(whole());
        BlockFile file = BlockFile.open(path, HEADER);
        assertThat(file.isWhole()).isTrue();
        Files.write(path, Arrays.copyOf(whole(), 4096));
        assertThat(file.isWhole()).isFalse();
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            while (file.wasWhole()) {
                Thread.onSpinWait();
            }
        });
        file.release();
    }

    @Test
    void aLookCountsForAMomentAndIsNotTakenByItself() throws IOException {
        BlockFile file = BlockFile.open(write(whole()), HEADER);
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            while (file.wasWhole()) {
                Thread.onSpinWait();
            }
        });
        assertThat(file.wasWhole()).isFalse();
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            while (!file.isWhole() || !file.wasWhole()) {
                Thread.onSpinWait();
            }
        });
        file.release();
    }

    @Test
    void touchedSubBlocksAreVerifiedOnce() throws IOException {
        Path path = write(whole());
        BlockFile file = BlockFile.open(path, HEADER.id());
        assertThat(file.isVerified(0, 1)).isFalse();
        assertThat(file.isVerified(7, 7)).isTrue();
        file.verify(SUB_BLOCK - 1, SUB_BLOCK + 1);
        assertThat(file.isVerified(0, 2 * SUB_BLOCK)).isTrue();
        assertThat(file.isVerified(0, 2 * SUB_BLOCK + 1)).isFalse();
        byte[] damaged = whole();
        damaged[4096] ^= 1;
        Files.write(path, damaged);
        file.verify(0, 2 * SUB_BLOCK);
        file.release();
    }

    @Test
    void flippedBitIsFoundInItsSubBlockAndTheOthersStayReadable() throws IOException {
        byte[] damaged = whole();
        damaged[4096 + 3 * SUB_BLOCK + 17] ^= 0x20;
        Path path = write(damaged);
        BlockFile file = BlockFile.open(path, HEADER);
        assertThatThrownBy(() -> file.verify(0, file.length()))
                .isInstanceOfSatisfying(DamagedBlockException.class, e -> {
                    assertThat(e.subBlock()).isEqualTo(3);
                    assertThat(e.file()).isEqualTo(path);
                })
                .hasMessageContainingAll(path.toString(), "sub-block 3");
        assertThat(file.isVerified(0, 3 * SUB_BLOCK)).isTrue();
        file.verify(4 * SUB_BLOCK, file.length());
        assertThat(file.isVerified(3 * SUB_BLOCK, 3 * SUB_BLOCK + 1)).isFalse();
        file.release();
    }

    @Test
    void everyDamageOfTheHeaderIsFoundAtOpen() throws IOException {
        byte[] whole = whole();
        for (int i = 0; i < 4096; i += i < 200 ? 1 : 97) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            Path path = write(damaged);
            assertThatThrownBy(() -> BlockFile.open(path, HEADER.id()))
                    .as("byte %d", i)
                    .isInstanceOfAny(DamagedBlockException.class, UnknownFormatException.class)
                    .hasMessageContaining(path.toString());
        }
    }

    @Test
    void fileOfAnotherLengthIsDamaged() throws IOException {
        byte[] whole = whole();
        for (int length : new int[] {0, 4095, 4096, whole.length - 1, whole.length + 1}) {
            Path path = write(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> BlockFile.open(path, HEADER.id()))
                    .as("length %d", length)
                    .isInstanceOf(DamagedBlockException.class);
        }
    }

    @Test
    void fileCutAfterItWasOpenedIsDamagedWhereItIsRead() throws IOException {
        Path path = write(whole());
        BlockFile file = BlockFile.open(path, HEADER);
        Files.write(path, Arrays.copyOf(whole(), 4096 + 100));
        assertThatThrownBy(() -> file.verify(0, 200))
                .isInstanceOf(DamagedBlockException.class)
                .hasMessageContaining("cut");
        file.release();
    }

    @Test
    void fileOfAnotherBlockIsDamaged() throws IOException {
        Path path = write(whole());
        BlockId other = BlockId.of(SHARD.index().shardSha256(), 2);
        assertThatThrownBy(() -> BlockFile.open(path, other))
                .isInstanceOf(DamagedBlockException.class)
                .hasMessageContainingAll(HEADER.id().hex(), other.hex());
    }

    @Test
    void fileWithOtherChecksumsThanTheIndexIsDamaged() throws IOException {
        int[] crcs = SHARD.index().layout().subBlockCrcs(1);
        crcs[0]++;
        BlockFileHeader expected = new BlockFileHeader(HEADER.id(), HEADER.length(), SUB_BLOCK, crcs);
        Path path = write(whole());
        assertThatThrownBy(() -> BlockFile.open(path, expected)).hasMessageContaining("shard's index");
    }

    @Test
    void missingFileIsMissingNotDamaged() {
        assertThatThrownBy(() -> BlockFile.open(folder.resolve("none.blk"), HEADER.id()))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void lastReleaseClosesTheFile() throws IOException {
        BlockFile file = BlockFile.open(write(whole()), HEADER);
        assertThat(file.isShared()).isFalse();
        assertThat(file.tryRetain()).isTrue();
        assertThat(file.isShared()).isTrue();
        file.release();
        assertThat(file.isShared()).isFalse();
        file.verify(0, 1);
        file.release();
        assertThat(file.tryRetain()).isFalse();
        assertThatThrownBy(file::retain).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(file::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> file.verify(SUB_BLOCK, SUB_BLOCK + 1)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void manyThreadsVerifyOneFile() throws Exception {
        BlockFile file = BlockFile.open(write(whole()), HEADER);
        List<Callable<Boolean>> reads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long from = i * 37L % file.length();
            reads.add(() -> {
                file.verify(from, file.length());
                return file.isVerified(from, file.length());
            });
        }
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (Future<Boolean> read : threads.invokeAll(reads)) {
                assertThat(read.get()).isTrue();
            }
        }
        assertThat(file.isVerified(0, file.length())).isTrue();
        file.release();
    }

    @Test
    void rangeOutsideTheBlockIsRefused() throws IOException {
        BlockFile file = BlockFile.open(write(whole()), HEADER);
        assertThatThrownBy(() -> file.verify(0, file.length() + 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> file.isVerified(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        file.release();
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("x.blk"), bytes);
    }

    private static byte[] block() {
        var block = SHARD.index().block(1);
        return Arrays.copyOfRange(SHARD.tar(), (int) block.offset(), (int) block.end());
    }

    private static byte[] whole() {
        byte[] whole = Arrays.copyOf(HEADER.encode(), 4096 + HEADER.length());
        System.arraycopy(block(), 0, whole, 4096, HEADER.length());
        return whole;
    }
}
