package io.tarpon.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ShardCutterTest {
    private static final int MANY = 1_000_000;

    @Test
    void everyShardIsFilledAndMissesAnEvenShareByNoMoreThanOneSample() {
        long seed = System.nanoTime();
        System.out.println("ShardCutterTest seed=" + seed);
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++) {
            int multipleOf = random.nextInt(1, 9);
            long shardBytes = 1L << random.nextInt(11, 40);
            var sizes = sizes(random, multipleOf, shardBytes);
            var load = load(sizes, shardBytes);
            var count = ShardCount.of(load, shardBytes, multipleOf, MANY);
            assertThat(count.total() % multipleOf).isZero();
            var shards = cut(sizes, load, count);
            assertThat(shards).hasSize(count.total()).allMatch(bytes -> bytes > 0);
            if (count.oversized() == 0) {
                long even = Arrays.stream(sizes).sum() / count.total();
                long largest = Arrays.stream(sizes).max().orElseThrow();
                // Where samples are few, every one of the last shards needs one: only then may a share be missed by
                // more.
                if (sizes.length > 4 * count.total()) {
                    assertThat(shards).allMatch(bytes -> Math.abs(bytes - even) <= largest + 1);
                }
            }
        }
    }

    @Test
    void shardsOfManySmallSamplesAreWithinTwoPercent() {
        var random = new SplittableRandom(7);
        var sizes = random.longs(200_000, 2, 400).map(blocks -> blocks * 512).toArray();
        var load = load(sizes, 256L << 20);
        var count = ShardCount.of(load, 256L << 20, 8, MANY);
        long even = load.bytes() / count.total();
        assertThat(count.total()).isEqualTo(80);
        assertThat(cut(sizes, load, count)).allMatch(bytes -> Math.abs(bytes - even) < even / 50);
    }

    @Test
    void aSampleAsLargeAsAShardStandsAlone() {
        var sizes = new long[] {512, 512, 512, 1024, 512 * 9};
        var load = load(sizes, 1024);
        var count = ShardCount.of(load, 1024, 1, MANY);
        assertThat(count).isEqualTo(new ShardCount(2, 2));
        assertThat(cut(sizes, load, count)).containsExactly(512L, 1024L, 1024L, 4608L);
    }

    @Test
    void shardsAreAsFewAsKeepTheSizeAimedAtRaisedToAMultiple() {
        assertThat(of(100, 1000, 1024)).isEqualTo(98);
        assertThat(of(100, 1000, 1024, 4)).isEqualTo(100);
        assertThat(of(5, 1, 1024, 4)).as("raised from one").isEqualTo(4);
        assertThat(of(6, 1000, 1024, 4)).as("eight would need eight samples").isEqualTo(4);
        assertThat(of(4, 0, 1024, 4)).as("a sample has at least its header").isEqualTo(4);
    }

    @Test
    void tooFewSamplesForTheMultipleAndTooManyShardsAreRefused() {
        assertThatThrownBy(() -> of(3, 1, 1024, 4))
                .hasMessageContaining("3 samples")
                .hasMessageContaining("4 shards");
        var load = new ShardCount.Load(100, 100L << 10, 0, 0);
        assertThat(ShardCount.of(load, 1024, 1, 100).total()).isEqualTo(100);
        assertThatThrownBy(() -> ShardCount.of(load, 1024, 1, 99)).hasMessageContaining("tarpon.ingest.max-shards");
    }

    @Test
    void newShardsMakeAMultipleTogetherWithThoseThatStay() {
        assertThat(beside(0, 100, 1)).isEqualTo(98);
        assertThat(beside(5, 100, 1)).as("as few as hold them").isEqualTo(98);
        assertThat(beside(5, 100, 4)).as("raised to 104").isEqualTo(99);
        assertThat(beside(6, 98, 4)).as("raised to 104, a sample each").isEqualTo(98);
        assertThat(beside(8, 3, 4)).as("four are more than three samples").isEqualTo(-1);
        assertThat(beside(7, 3, 4))
                .as("lowered to 8: two more would need four samples")
                .isEqualTo(1);
        assertThat(beside(8, 0, 4)).isZero();
        assertThat(beside(7, 0, 4)).isEqualTo(-1);
        assertThat(beside(0, 0, 4)).isZero();
    }

    @Test
    void everyNumberOfNewShardsIsTheSmallestThatCanBe() {
        for (int multipleOf = 1; multipleOf <= 6; multipleOf++) {
            for (int standing = 0; standing <= 12; standing++) {
                for (int samples = 0; samples <= 14; samples++) {
                    assertThat(beside(standing, samples, multipleOf))
                            .as("standing=%d samples=%d multiple=%d", standing, samples, multipleOf)
                            .isEqualTo(tried(standing, samples, multipleOf));
                }
            }
        }
    }

    @Test
    void shardsThatStayCountTowardsTheMost() {
        var load = new ShardCount.Load(100, 100L << 10, 0, 0);
        assertThat(ShardCount.beside(50, load, 1024, 1, 150).total()).isEqualTo(100);
        assertThatThrownBy(() -> ShardCount.beside(51, load, 1024, 1, 150))
                .hasMessageContaining("151 shards are more than the 150 of tarpon.ingest.max-shards");
    }

    /// For samples of 1,000 bytes in shards of 1,024; -1 where there is no such number.
    private static int beside(int standing, int samples, int multipleOf) {
        var load = new ShardCount.Load(samples, samples * 1000L, 0, 0);
        try {
            return ShardCount.beside(standing, load, 1024, multipleOf, MANY).total();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining(Integer.toString(samples)).hasMessageContaining("multiple");
            return -1;
        }
    }

    /// The first that holds them within the size, else the most that there are samples for.
    private static int tried(int standing, int samples, int multipleOf) {
        int least = samples == 0 ? 0 : Math.ceilDiv(samples * 1000, 1024);
        for (int shards = least; shards <= samples; shards++) {
            if ((standing + shards) % multipleOf == 0) {
                return shards;
            }
        }
        for (int shards = Math.min(least, samples); shards >= Math.min(1, samples); shards--) {
            if ((standing + shards) % multipleOf == 0) {
                return shards;
            }
        }
        return -1;
    }

    @Test
    void sharesOfAPetabyteDoNotOverflow() {
        long size = 7L << 30;
        long samples = 150_000;
        var load = new ShardCount.Load(samples, samples * size, 0, 0);
        var count = ShardCount.of(load, 14L << 30, 1, MANY);
        var cutter = new ShardCutter(load, count);
        int last = 0;
        for (long i = 0; i < samples; i++) {
            last = cutter.next(size);
        }
        assertThat(last).isEqualTo(74_999);
    }

    private static int of(long samples, long bytesEach, long shardBytes, int... multipleOf) {
        var load = new ShardCount.Load(samples, samples * bytesEach, 0, 0);
        return ShardCount.of(load, shardBytes, multipleOf.length == 0 ? 1 : multipleOf[0], MANY)
                .total();
    }

    private static long[] sizes(SplittableRandom random, int multipleOf, long shardBytes) {
        var sizes = new long[random.nextInt(multipleOf, 400)];
        for (int i = 0; i < sizes.length; i++) {
            long most = random.nextInt(20) == 0 ? 3 * shardBytes : Math.max(1024, shardBytes / 10);
            sizes[i] = random.nextLong(1, most / 512 + 1) * 512;
        }
        // As the order has them: those as large as a shard last.
        return Arrays.stream(sizes)
                .boxed()
                .sorted((a, b) -> Boolean.compare(a >= shardBytes, b >= shardBytes))
                .mapToLong(Long::longValue)
                .toArray();
    }

    private static ShardCount.Load load(long[] sizes, long shardBytes) {
        var load = ShardCount.Load.NONE;
        for (long size : sizes) {
            load = load.plus(size, size >= shardBytes);
        }
        return load;
    }

    private static Long[] cut(long[] sizes, ShardCount.Load load, ShardCount count) {
        var shards = new Long[count.total()];
        Arrays.fill(shards, 0L);
        var cutter = new ShardCutter(load, count);
        int last = -1;
        for (long size : sizes) {
            int shard = cutter.next(size);
            assertThat(shard).isBetween(Math.max(last, 0), last + 1);
            last = shard;
            shards[shard] += size;
        }
        return shards;
    }
}
