package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.block.BlockFileHeader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A block that is tried on one disk after another, where the first comes back late.
class FillTest {
    private static final int FIRST_BYTES = TestShard.SUB_BLOCK_BYTES;

    @TempDir
    Path folder;

    private final TestShard shard = TestShard.random("demo/v1/train/shard-000000", 1, 4, 100_000, 512 << 10);
    private final byte[] block = shard.block(0);
    private final Fill fill = new Fill(plan(shard));
    private BlockFileWriter late;
    private BlockFileWriter next;

    @BeforeEach
    void start() throws Exception {
        late = BlockFileWriter.create(
                Files.createDirectories(folder.resolve("late")), plan(shard).header());
        next = BlockFileWriter.create(
                Files.createDirectories(folder.resolve("next")), plan(shard).header());
    }

    @AfterEach
    void stop() throws Exception {
        late.close();
        next.close();
    }

    @Test
    void progressOfALateDiskIsSeenByNobodyBeforeTheNextOneBegins() throws Exception {
        assertThat(fill.begin(fill.nextAttempt().orElseThrow(), late.file())).isTrue();
        var second = fill.nextAttempt().orElseThrow();
        var reader = fill.readable(0, block.length).toCompletableFuture();

        late.write(ByteBuffer.wrap(block, 0, FIRST_BYTES));
        fill.progress(late.file(), late.verifiedBytes());

        assertThat(reader).isNotDone();
        assertThat(late.file().isShared()).as("held by the fill").isFalse();
        assertThat(fill.begin(second, next.file())).isTrue();
        assertThat(fill.readable(0, FIRST_BYTES).toCompletableFuture()).isNotDone();
        next.write(ByteBuffer.wrap(block));
        fill.progress(next.file(), next.verifiedBytes());
        assertThat(reader).isCompletedWithValue((long) block.length);
        assertThat(fill.file()).isSameAs(next.file());
    }

    @Test
    void lateDiskThatComesBackAfterTheNextBeganChangesNothing() throws Exception {
        var first = fill.nextAttempt().orElseThrow();
        assertThat(fill.begin(fill.nextAttempt().orElseThrow(), next.file())).isTrue();
        var reader = fill.readable(0, block.length).toCompletableFuture();

        assertThat(fill.begin(first, late.file())).isFalse();
        late.write(ByteBuffer.wrap(block));
        fill.progress(late.file(), late.verifiedBytes());

        assertThat(reader).isNotDone();
        assertThat(fill.file()).isSameAs(next.file());
        assertThat(late.file().isShared()).isFalse();
    }

    @Test
    void noOtherFileTakesThePlaceOfOneThatReadersWerePromised() throws Exception {
        assertThat(fill.begin(fill.nextAttempt().orElseThrow(), late.file())).isTrue();
        late.write(ByteBuffer.wrap(block, 0, FIRST_BYTES));
        fill.progress(late.file(), late.verifiedBytes());

        assertThat(fill.nextAttempt()).isEmpty();

        assertThat(fill.file()).isSameAs(late.file());
        assertThat(fill.readable(0, FIRST_BYTES).toCompletableFuture()).isCompletedWithValue((long) FIRST_BYTES);
    }

    private static BlockPlan plan(TestShard shard) {
        var header = BlockFileHeader.of(shard.index().layout(), 0);
        return new BlockPlan(
                header,
                shard.ref(),
                ObjectKeys.tar(shard.ref(), TestShard.ATTEMPT),
                0,
                shard.index().block(0).offset());
    }
}
