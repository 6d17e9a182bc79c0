package io.tarpon.wire.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.Digests;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ShardIndexTest {
    private static final int TARGET = 8192;
    private static final int SUB_BLOCK = 2048;

    @RepeatedTest(20)
    void indexSaysOfEverySampleAndMemberWhatTheTarHolds(RepetitionInfo run) throws IOException {
        TestShard shard = shard(run);
        ShardIndex index = shard.index();
        assertThat(index.shardBytes()).isEqualTo(shard.tar().length);
        assertThat(index.shardSha256()).isEqualTo(Digests.sha256Hex(shard.tar()));
        assertThat(index.shardCrc32c()).isEqualTo(TestShard.crc(shard.tar(), 0, shard.tar().length));
        assertThat(index.sampleCount()).isEqualTo(shard.samples().size());
        try (UstarReader tar = new UstarReader(new ByteArrayInputStream(shard.tar()))) {
            for (int i = 0; i < index.sampleCount(); i++) {
                checkSample(shard, i, tar);
            }
            assertThat(tar.next()).isEmpty();
        }
    }

    private static void checkSample(TestShard shard, int i, UstarReader tar) throws IOException {
        ShardIndex index = shard.index();
        PlannedSample sample = shard.samples().get(i);
        long offset = index.sampleOffset(i);
        long end = offset + index.sampleLength(i);
        assertThat(index.key(i)).isEqualTo(sample.key());
        assertThat(index.find(sample.key())).hasValue(i);
        assertThat(index.sampleLength(i)).isEqualTo(sample.tarBytes());
        assertThat(index.layout().sampleCrc32c(i)).isEqualTo(TestShard.crc(shard.tar(), offset, end));
        assertThat(index.layout().sampleAt(offset)).hasValue(i);
        assertThat(index.layout().sampleAt(end - 1)).hasValue(i);
        List<IndexedMember> members = index.members(i);
        assertThat(members).hasSameSizeAs(sample.members());
        for (int m = 0; m < members.size(); m++) {
            var header = tar.next().orElseThrow();
            IndexedMember member = members.get(m);
            assertThat(member)
                    .isEqualTo(new IndexedMember(
                            sample.members().get(m).extension(), header.name(), header.size(), tar.headerOffset()));
            assertThat(index.member(i, member.extension())).contains(member);
            assertThat(index.layout().memberSize(i, member.extension())).isEqualTo(member.size());
        }
    }

    @RepeatedTest(20)
    void blocksTileTheShardAndTheirChecksumsAreThoseOfItsBytes(RepetitionInfo run) {
        TestShard shard = shard(run);
        ShardIndex index = shard.index();
        long end = 0;
        int samples = 0;
        for (int i = 0; i < index.blockCount(); i++) {
            Block block = index.block(i);
            assertThat(block.offset()).isEqualTo(end);
            end = block.end();
            assertThat(block.crc32c()).isEqualTo(TestShard.crc(shard.tar(), block.offset(), end));
            assertThat(index.layout().blockAt(block.offset())).isEqualTo(i);
            assertThat(index.layout().blockAt(end - 1)).isEqualTo(i);
            assertThat(block.firstSample()).isEqualTo(samplesBefore(index, block.offset()));
            samples += block.samples();
            int[] crcs = index.layout().subBlockCrcs(i);
            assertThat(crcs).hasSize((block.length() + SUB_BLOCK - 1) / SUB_BLOCK);
            for (int s = 0; s < crcs.length; s++) {
                long from = block.offset() + (long) s * SUB_BLOCK;
                assertThat(crcs[s]).isEqualTo(TestShard.crc(shard.tar(), from, Math.min(from + SUB_BLOCK, end)));
            }
        }
        assertThat(end).isEqualTo(index.shardBytes());
        assertThat(samples).isEqualTo(index.sampleCount());
        assertThat(index.blockCount()).isGreaterThan(5);
    }

    private static int samplesBefore(ShardIndex index, long offset) {
        int before = 0;
        while (before < index.sampleCount() && index.sampleOffset(before) < offset) {
            before++;
        }
        return before;
    }

    @RepeatedTest(10)
    void extensionsAreCountedInByteOrder(RepetitionInfo run) {
        TestShard shard = shard(run);
        Map<String, ExtensionCount> expected = new TreeMap<>();
        for (PlannedSample sample : shard.samples()) {
            for (PlannedMember member : sample.members()) {
                expected.merge(
                        member.extension(),
                        new ExtensionCount(member.extension(), 1, member.size()),
                        (a, b) -> new ExtensionCount(a.extension(), a.samples() + 1, a.bytes() + b.bytes()));
            }
        }
        assertThat(shard.index().extensions()).containsExactlyElementsOf(expected.values());
    }

    @RepeatedTest(10)
    void safeCutIsTheLastByteStrictlyInsideDataOrNone(RepetitionInfo run) {
        long seed = 500L + run.getCurrentRepetition();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        TestShard shard = TestShard.random(random, 12, 1024, 512);
        boolean[] inside = new boolean[shard.tar().length + 1];
        for (int i = 0; i < shard.index().sampleCount(); i++) {
            for (IndexedMember member : shard.index().members(i)) {
                long end = member.dataOffset() + member.size();
                for (long o = member.dataOffset() + 1; o < end; o++) {
                    inside[(int) o] = true;
                }
            }
        }
        for (int i = 0; i < 5000; i++) {
            int offset = random.nextInt(inside.length);
            int bound = Math.max(0, offset - random.nextInt(4000));
            int expected = offset;
            while (expected >= bound && !inside[expected]) {
                expected--;
            }
            assertThat(shard.index().layout().safeCut(bound, offset)).isEqualTo(expected < bound ? -1 : expected);
        }
    }

    @Test
    void whatIsNotThereIsAbsent() {
        ShardIndex index = TestShard.canon().index();
        assertThat(index.find("000001")).isEmpty();
        assertThat(index.find("")).isEmpty();
        assertThat(index.member(0, "jpg")).isEqualTo(Optional.empty());
        assertThat(index.layout().memberSize(0, "jpg")).isEqualTo(-1);
        assertThat(index.layout().sampleAt(2048)).isEmpty();
        assertThat(index.layout().blockAt(3071)).isZero();
        assertThatThrownBy(() -> index.layout().sampleAt(3072)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.layout().blockAt(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shardOfAHundredThousandSamplesIsSmallInMemoryAndFoundByKey() {
        int count = 100_000;
        ShardIndex index = smallSamples(count);
        for (int i = 0; i < count; i += 7) {
            assertThat(index.find(String.format("%08d", i))).hasValue(i);
            assertThat(index.member(i, "jpg").orElseThrow().dataOffset()).isEqualTo(1536L * i + 512);
        }
        assertThat(index.memoryBytes()).isLessThan(40L * count);
    }

    @Test
    void shardInWhichEverySampleHasAnExtensionOfItsOwnStaysSmall() throws IOException {
        int count = 20_000;
        ShardIndexBuilder builder = new ShardIndexBuilder();
        byte[] tar = new byte[count * 512 + Ustar.END_BYTES];
        for (int i = 0; i < count; i++) {
            builder.beginSample("k" + i);
            builder.member("x" + i, 0);
        }
        builder.bytes(tar, 0, tar.length);
        ShardIndex built = builder.finish(new byte[32]);
        ShardIndex index = ShardIndexFormat.decode("i", ShardIndexFormat.encode(built));
        assertThat(index.members(777)).containsExactly(new IndexedMember("x777", "k777.x777", 0, 777L * 512));
        assertThat(index.memoryBytes()).isLessThan(400L * count);
        assertThat(DaliIndex.render(index)).isNotEmpty();
    }

    @Test
    void sizesOver32BitsAreKept() throws IOException {
        List<ExtensionColumn> columns = new ArrayList<>();
        columns.add(
                ExtensionColumn.of("bin", Presence.of(2, new int[] {0, 1}), new long[] {Ustar.MAX_MEMBER_BYTES, 3}));
        assertThat(columns.getFirst().width()).isEqualTo(8);
        assertThat(columns.getFirst().size(0)).isEqualTo(Ustar.MAX_MEMBER_BYTES);
        assertThat(columns.getFirst().size(1)).isEqualTo(3);
        ExtensionColumn unsigned = ExtensionColumn.of("bin", Presence.of(1, new int[] {0}), new long[] {0xffff_ffffL});
        assertThat(unsigned.width()).isEqualTo(4);
        assertThat(unsigned.size(0)).isEqualTo(0xffff_ffffL);
    }

    @Test
    void builderRefusesWhatIsOutOfOrder() {
        ShardIndexBuilder builder = new ShardIndexBuilder();
        assertThatThrownBy(() -> builder.member("jpg", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.beginSample("a b")).isInstanceOf(IllegalArgumentException.class);
        builder.beginSample("a");
        assertThatThrownBy(() -> builder.beginSample("b")).hasMessageContaining("without a member: a");
        builder.member("jpg", 1);
        assertThatThrownBy(() -> builder.member("cls", 1)).hasMessageContaining("a.cls");
        assertThatThrownBy(() -> builder.member("jpg", 1)).hasMessageContaining("a.jpg");
        assertThatThrownBy(() -> builder.finish(new byte[32])).hasMessageContaining("not whole: 0 of 2048");
        assertThatThrownBy(() -> builder.bytes(new byte[4096], 0, 4096)).hasMessageContaining("past what was declared");
    }

    @Test
    void twoSamplesWithOneKeyAreRefused() {
        ShardIndexBuilder builder = new ShardIndexBuilder();
        for (int i = 0; i < 2; i++) {
            builder.beginSample("a");
            builder.member("jpg", 0);
        }
        builder.bytes(new byte[2048], 0, 2048);
        assertThatThrownBy(() -> builder.finish(new byte[32])).hasMessageContaining("the key a");
    }

    private static TestShard shard(RepetitionInfo run) {
        long seed = 100L + run.getCurrentRepetition();
        System.out.println("seed " + seed);
        return TestShard.random(new Random(seed), 150, TARGET, SUB_BLOCK);
    }

    /// Samples of one `jpg` of 600 bytes; the bytes of the tar are all zero, which the index does not look at.
    private static ShardIndex smallSamples(int count) {
        ShardIndexBuilder builder = new ShardIndexBuilder();
        byte[] sample = new byte[1536];
        for (int i = 0; i < count; i++) {
            builder.beginSample(String.format("%08d", i));
            builder.member("jpg", 600);
            builder.bytes(sample, 0, sample.length);
        }
        builder.bytes(Ustar.end(), 0, Ustar.END_BYTES);
        byte[] sha256 = new byte[32];
        Arrays.fill(sha256, (byte) 5);
        return builder.finish(sha256);
    }
}
