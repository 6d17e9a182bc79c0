package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// For random splits, worlds, batches, workers and tails.
class PartitionTest {
    private static final int ROUNDS = 3_000;
    private static final List<Tail> TAILS = List.of(Tail.values());

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void aBodyIsWhatDealingOutOneByOneGives() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = random.nextInt(120);
            var share = share(samples, TAILS.get(round % TAILS.size()));
            if (canNotBePadded(share, samples)) {
                continue;
            }
            var partition = new Partition(share, samples);
            var expected = new DealtOut(share, samples);
            var what = "seed %d, %s of %d".formatted(seed, share, samples);
            assertThat(DealtOut.positions(partition)).as(what).isEqualTo(expected.positions);
            assertThat(partition.dropped()).as(what).isEqualTo(expected.dropped);
            assertThat(partition.padded()).as(what).isEqualTo(expected.padded);
            assertThat(partition.span().map(Span::lowest).stream().toList())
                    .as(what)
                    .isEqualTo(
                            new TreeSet<>(expected.positions).stream().limit(1).toList());
            assertThat(partition.span().map(Span::highest).stream().toList())
                    .as(what)
                    .isEqualTo(new TreeSet<>(expected.positions)
                            .descendingSet().stream().limit(1).toList());
        }
    }

    @Test
    void theUnionOfRanksIsWhatTheTailSaysInEqualParts() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = random.nextInt(300);
            var share = share(samples, TAILS.get(round % TAILS.size()));
            if (canNotBePadded(share, samples)) {
                continue;
            }
            var what = "seed %d, %s of %d".formatted(seed, share, samples);
            var bodies = bodies(share, samples);
            var union = new ArrayList<Long>();
            bodies.forEach(union::addAll);
            Collections.sort(union);
            var end = Math.min(samples, share.count() > samples ? samples : share.start() + share.count());
            var once = LongStream.range(share.start(), end).boxed().toList();
            var step = (int) share.stepPositions();
            var sizes = bodies.stream().map(List::size).distinct().sorted().toList();
            switch (share.tail()) {
                case DROP -> assertThat(union).as(what).isEqualTo(once.subList(0, once.size() / step * step));
                case KEEP -> assertThat(union).as(what).isEqualTo(once);
                case PAD -> {
                    assertThat(new TreeSet<>(union)).as(what).isEqualTo(new TreeSet<>(once));
                    assertThat(union.size() % step).as(what).isZero();
                    assertThat(union.size() - once.size()).as(what).isBetween(0, step - 1);
                }
            }
            var differ = share.tail() == Tail.KEEP ? share.batch() : 0;
            assertThat(sizes.getLast() - sizes.getFirst()).as(what).isBetween(0, differ);
        }
    }

    @Test
    void whoResumesAtACursorHasTheRemainingPositions() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = random.nextInt(300);
            var before = whole(random.nextInt(samples + 1));
            var steps = random.nextInt(12);
            var partition = new Partition(before, samples);
            var cursor = partition.cursorAfter(steps);
            var seen = new ArrayList<Long>();
            for (var body : bodies(before, samples)) {
                seen.addAll(body.subList(0, Math.min(body.size(), steps * before.batch())));
            }
            var after = whole(cursor);
            bodies(after, samples).forEach(seen::addAll);
            Collections.sort(seen);
            assertThat(seen)
                    .as("seed %d, %d steps of %s, then %s of %d", seed, steps, before, after, samples)
                    .isEqualTo(LongStream.range(before.start(), samples).boxed().toList());
            assertThat(cursor).isEqualTo(Math.min(before.start() + steps * before.stepPositions(), samples));
        }
    }

    @Test
    void whatDropLeavesOutBeginsAtTheCursor() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = random.nextInt(300);
            var share = share(samples, Tail.DROP);
            var partition = new Partition(share, samples);
            var positions =
                    new Partition(new Share(share.start(), share.count(), Tail.KEEP, 1, 1, 0, 1, 0), samples).samples();
            assertThat(partition.cursor() + partition.dropped())
                    .as("seed %d, %s of %d", seed, share, samples)
                    .isEqualTo(share.start() + positions);
            assertThat(partition.cursorAfter(partition.steps())).isEqualTo(partition.cursor());
        }
    }

    @Test
    void workersInTurnGiveTheRanksOrder() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = random.nextInt(300);
            var share = share(samples, TAILS.get(round % TAILS.size()));
            if (canNotBePadded(share, samples)) {
                continue;
            }
            var workers = share.workers();
            var bodies = new ArrayList<List<Long>>();
            for (int worker = 0; worker < workers; worker++) {
                bodies.add(DealtOut.positions(new Partition(share.ofWorker(workers, worker), samples)));
            }
            assertThat(inTurn(bodies, share.batch()))
                    .as("seed %d, %s of %d", seed, share, samples)
                    .isEqualTo(DealtOut.positions(new Partition(share.ofWorker(1, 0), samples)));
        }
    }

    @Test
    void fewSamplesAndManyRanksAreDealtOut() {
        for (int samples = 0; samples <= 3; samples++) {
            for (int world = 1; world <= 8; world++) {
                for (int batch = 1; batch <= 4; batch++) {
                    var union = new TreeSet<Long>();
                    for (int rank = 0; rank < world; rank++) {
                        var keep = new Share(0, Share.ALL, Tail.KEEP, batch, world, rank, 1, 0);
                        union.addAll(DealtOut.positions(new Partition(keep, samples)));
                    }
                    assertThat(union).hasSize(samples);
                }
            }
        }
    }

    /// What a DataLoader does: one batch from each worker that has one left.
    private static List<Long> inTurn(List<List<Long>> bodies, int batch) {
        var all = new ArrayList<Long>();
        for (int from = 0; bodies.stream().mapToInt(List::size).max().orElse(0) > from; from += batch) {
            for (var body : bodies) {
                all.addAll(body.subList(Math.min(from, body.size()), Math.min(from + batch, body.size())));
            }
        }
        return all;
    }

    private static List<List<Long>> bodies(Share share, int samples) {
        var bodies = new ArrayList<List<Long>>();
        for (int rank = 0; rank < share.world(); rank++) {
            var one = new Share(share.start(), share.count(), share.tail(), share.batch(), share.world(), rank, 1, 0);
            bodies.add(DealtOut.positions(new Partition(one, samples)));
        }
        return bodies;
    }

    private Share whole(long start) {
        var world = 1 + random.nextInt(7);
        return new Share(start, Share.ALL, Tail.KEEP, 1 + random.nextInt(6), world, random.nextInt(world), 1, 0);
    }

    private Share share(int samples, Tail tail) {
        var world = 1 + random.nextInt(random.nextBoolean() ? 4 : 20);
        var workers = 1 + random.nextInt(5);
        var count = random.nextBoolean() ? Share.ALL : random.nextInt(samples + 10);
        var batch = 1 + random.nextInt(6);
        var start = random.nextBoolean() ? 0 : random.nextInt(samples + 1);
        return new Share(start, count, tail, batch, world, random.nextInt(world), workers, random.nextInt(workers));
    }

    private static boolean canNotBePadded(Share share, int samples) {
        var positions = Math.min(share.count(), samples - share.start());
        return share.tail() == Tail.PAD && positions > 0 && positions < share.stepPositions();
    }
}
