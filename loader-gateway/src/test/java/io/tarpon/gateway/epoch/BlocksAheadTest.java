package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.EpochSeed;
import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.SparseSums;
import io.tarpon.gateway.order.Tail;
import io.tarpon.wire.ShardRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which blocks are named ahead of a body, and when.
class BlocksAheadTest {
    private static final int ALL = 1_000;

    private final List<MadeShard> shards = List.of(
            MadeShard.of("a", new Random(1), 60, number -> number % 7 == 0 ? 0 : 20_000),
            MadeShard.of("b", new Random(2), 2, _ -> 700_000),
            MadeShard.of("c", new Random(3), 400, _ -> 9_000));
    private final SplitLayout layout = new SplitLayout(List.of(laidOut(0), laidOut(1), laidOut(2)));
    private final EpochOrder global = EpochOrder.global(new EpochSeed(7, 3, World.digest(shards)), layout.samples());
    private final List<String> named = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void namesEveryBlockOnceInTheOrderOfNeed(boolean isShuffled) {
        var order = isShuffled ? global : EpochOrder.plain(layout.samples());
        var ahead = samples(bytes(order, whole()), 0, -1).ahead();

        while (ahead.look(ALL, 3, this::name)) {
            assertThat(named.size() % 3).isZero();
        }

        assertThat(named).containsExactlyElementsOf(needed(order, whole(), 0, layout.samples()));
        assertThat(named).hasSize(layout.blocks());
        assertThat(ahead.isAtEnd()).isTrue();
    }

    @Test
    void namesNoMoreThanMayBePendingUntilTheyAreReached() {
        var bytes = bytes(global, whole());
        var samples = samples(bytes, 0, -1);
        var ahead = samples.ahead();
        var needed = needed(global, whole(), 0, layout.samples());

        assertThat(ahead.look(4, ALL, this::name)).isFalse();
        assertThat(named).containsExactlyElementsOf(needed.subList(0, 4));
        assertThat(ahead.look(4, ALL, this::name)).isFalse();
        assertThat(named).hasSize(4);

        samples.next();
        ahead.look(4, ALL, this::name);
        assertThat(named.size()).as("the first sample's blocks are reached").isGreaterThan(4);
        assertThat(named).containsExactlyElementsOf(needed.subList(0, named.size()));

        while (samples.hasNext()) {
            samples.next();
        }
        ahead.look(4, ALL, this::name);
        assertThat(ahead.isAtEnd()).as("what was read meanwhile is not named").isTrue();
        assertThat(named.size()).isLessThan(9);
    }

    @Test
    void aRangeNamesOnlyItsOwn() {
        var bytes = bytes(global, whole());
        var from = 1_000_000;
        var to = 1_100_000;
        var sums = SparseSums.of(bytes.samples(), bytes.lengths());
        var first = sums.place(from, bytes.lengths()).sample();
        var last = sums.place(to - 1, bytes.lengths()).sample();

        var ahead = samples(bytes, from, to).ahead();
        ahead.look(ALL, ALL, this::name);

        assertThat(named).containsExactlyElementsOf(needed(global, whole(), first, last + 1));
        assertThat(ahead.isAtEnd()).isTrue();
    }

    @Test
    void aRankNamesOnlyItsOwn() {
        var rank = new Share(5, Share.ALL, Tail.KEEP, 4, 3, 1, 2, 0);
        var samples = new Partition(rank, layout.samples()).samples();

        samples(bytes(global, rank), 0, -1).ahead().look(ALL, ALL, this::name);

        assertThat(named).containsExactlyElementsOf(needed(global, rank, 0, samples));
    }

    @Test
    void anEmptyBodyNamesNothing() {
        var none = new Share(layout.samples(), Share.ALL, Tail.KEEP, 1, 1, 0, 1, 0);
        var ahead = samples(bytes(global, none), 0, -1).ahead();

        assertThat(ahead.look(ALL, ALL, this::name)).isFalse();
        assertThat(named).isEmpty();
        assertThat(ahead.isAtEnd()).isTrue();
    }

    private void name(LaidOutShard shard, int block) {
        named.add(shard.shard().ref() + " " + block);
    }

    private EpochBytes bytes(EpochOrder order, Share share) {
        return new EpochBytes(layout, Projection.ALL, order, new Partition(share, layout.samples()));
    }

    /// @param to -1 for the end
    private static EpochBytes.Samples samples(EpochBytes bytes, long from, long to) {
        var content = bytes.content(SparseSums.of(bytes.samples(), bytes.lengths()));
        return (EpochBytes.Samples)
                content.open(from, to < 0 ? content.length() : to).join();
    }

    private List<String> needed(EpochOrder order, Share share, long from, long to) {
        Set<String> blocks = new LinkedHashSet<>();
        var partition = new Partition(share, layout.samples());
        for (long i = from; i < to; i++) {
            var sample = layout.sample(order.reader().applyAsLong(partition.position(i)));
            var shard = sample.shard().layout();
            var begin = shard.sampleOffset(sample.inside());
            for (long at = begin; at < begin + shard.sampleLength(sample.inside()); at += 512) {
                blocks.add(sample.shard().shard().ref() + " " + shard.blockAt(at));
            }
        }
        return List.copyOf(blocks);
    }

    private static Share whole() {
        return new Share(0, Share.ALL, Tail.KEEP, 1, 1, 0, 1, 0);
    }

    private LaidOutShard laidOut(int number) {
        var ref = ShardRef.parse("ahead/v1/train/shard-00000" + number);
        return new LaidOutShard(
                shards.get(number).sealed(ref, 1), shards.get(number).index().layout());
    }
}
