package io.tarpon.wire.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.tar.Ustar;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A layout whose columns were copied out of the heap answers as before.
class ShardLayoutTest {
    private static final int ROUNDS = 60;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void aLayoutOverCopiedColumnsGivesTheSameAnswers() {
        for (int round = 0; round < ROUNDS; round++) {
            ShardLayout heap = TestShard.random(random, 1 + random.nextInt(300), 4096, 1024)
                    .index()
                    .layout();
            requireSame(heap, copied(heap));
        }
    }

    @Test
    void copiesOfCopiesAreTheSameToo() {
        ShardLayout heap = TestShard.random(random, 100, 4096, 1024).index().layout();
        requireSame(heap, copied(copied(heap)));
    }

    @Test
    void sizesOf33BitsAreCopiedToo() {
        long large = 5L << 30;
        Presence both = Presence.of(2, new int[] {0, 1});
        MemberColumns members =
                MemberColumns.of(2, List.of(ExtensionColumn.of("bin", both, new long[] {large, large + 1})));
        long length = Ustar.memberLength(large);
        IntBuffer offsets = IntBuffer.wrap(new int[] {0, (int) (length >>> 9), (int) (2 * length >>> 9) + 1});
        BlockTable blocks = new BlockTable(512, 512, ints(0, 2), ints(0, 1), ints(1), ints(0, 1), ints(7));
        ShardLayout heap = new ShardLayout(new byte[32], 1, offsets, ints(1, 2), members, blocks);
        assertThat(copied(heap).memberSize(0, "bin")).isEqualTo(large);
        assertThat(copied(heap).memberSize(1, "bin")).isEqualTo(large + 1);
        assertThat(copied(heap).sampleOffset(1)).isEqualTo(length);
    }

    @Test
    void nothingOfTheColumnsStaysOnTheHeap() {
        ShardLayout heap = TestShard.random(random, 2_000, 4096, 1024).index().layout();
        assertThat(heap.memoryBytes() - copied(heap).memoryBytes()).isEqualTo(heap.columnBytes());
    }

    private static IntBuffer ints(int... values) {
        return IntBuffer.wrap(values);
    }

    /// Behind other bytes, as where several layouts share a file.
    private ShardLayout copied(ShardLayout layout) {
        int before = random.nextInt(100);
        IntBuffer memory = ByteBuffer.allocateDirect(Math.toIntExact(4L * before + layout.columnBytes()))
                .order(ByteOrder.nativeOrder())
                .asIntBuffer();
        layout.copyColumns(memory.position(before));
        assertThat(memory.hasRemaining()).isFalse();
        ShardLayout copy = layout.over(memory.position(before));
        assertThat(memory.hasRemaining()).isFalse();
        return copy;
    }

    private void requireSame(ShardLayout heap, ShardLayout copy) {
        String what = "seed " + seed;
        assertThat(copy.shardSha256()).isEqualTo(heap.shardSha256());
        assertThat(copy.shardBytes()).as(what).isEqualTo(heap.shardBytes());
        assertThat(copy.sampleCount()).as(what).isEqualTo(heap.sampleCount());
        assertThat(copy.extensions()).as(what).isEqualTo(heap.extensions());
        for (int i = 0; i < heap.sampleCount(); i++) {
            assertThat(copy.sampleOffset(i)).as(what).isEqualTo(heap.sampleOffset(i));
            assertThat(copy.sampleLength(i)).as(what).isEqualTo(heap.sampleLength(i));
            assertThat(copy.sampleCrc32c(i)).as(what).isEqualTo(heap.sampleCrc32c(i));
            assertThat(copy.members(i)).as(what).isEqualTo(heap.members(i));
            long end = heap.sampleOffset(i) + heap.sampleLength(i);
            if (heap.isSafeFrom(heap.sampleLength(i))) {
                assertThat(heap.safeCut(heap.sampleOffset(i) + 1, end)).as(what).isPositive();
            }
            for (ExtensionCount extension : heap.extensions()) {
                assertThat(copy.memberSize(i, extension.extension()))
                        .as(what)
                        .isEqualTo(heap.memberSize(i, extension.extension()));
            }
        }
        for (int i = 0; i < heap.blockCount(); i++) {
            assertThat(copy.block(i)).as(what).isEqualTo(heap.block(i));
            assertThat(copy.subBlockCrcs(i)).as(what).isEqualTo(heap.subBlockCrcs(i));
        }
        long[] offsets = random.longs(200, 0, heap.shardBytes()).toArray();
        assertThat(placed(copy, offsets)).as(what).isEqualTo(placed(heap, offsets));
    }

    private static List<List<Long>> placed(ShardLayout layout, long[] offsets) {
        return IntStream.range(1, offsets.length)
                .mapToObj(i -> LongStream.of(
                                layout.blockAt(offsets[i]),
                                layout.sampleAt(offsets[i]).orElse(-1),
                                layout.safeCut(offsets[i - 1], offsets[i]))
                        .boxed()
                        .toList())
                .toList();
    }
}
