package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.fixture.Refused;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PieceCutsTest {
    private static final int ROUNDS = 3_000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void piecesOneBehindTheOtherAreTheBodyOfEveryWorker() {
        for (int round = 0; round < ROUNDS; round++) {
            var samples = 1 + random.nextInt(300);
            var share = share(samples, random.nextBoolean() ? Tail.DROP : Tail.KEEP);
            var whole = new Partition(share, samples);
            var most = (int) PieceCuts.ceiling(whole.steps(), share.workers());
            if (most == 0) {
                continue;
            }
            var pieces = whole.pieces(1 + random.nextInt(most));
            var what = "seed %d, %d pieces of %s of %d".formatted(seed, pieces.count(), share, samples);
            for (int worker = 0; worker < share.workers(); worker++) {
                var own = share.ofWorker(share.workers(), worker);
                var joined = new ArrayList<Long>();
                long dropped = 0;
                for (int number = 0; number < pieces.count(); number++) {
                    var piece = new Partition(own.within(pieces.piece(number)), samples);
                    joined.addAll(DealtOut.positions(piece));
                    dropped += piece.dropped();
                    assertThat(piece.steps()).as(what).isPositive();
                }
                assertThat(joined).as(what).isEqualTo(DealtOut.positions(new Partition(own, samples)));
                assertThat(dropped).as(what).isEqualTo(whole.dropped());
            }
            requireConsecutive(pieces, whole, what);
        }
    }

    private static void requireConsecutive(PieceCuts pieces, Partition whole, String what) {
        var share = whole.share();
        var unit = share.stepPositions() * share.workers();
        var next = share.start();
        for (int number = 0; number < pieces.count(); number++) {
            var piece = pieces.piece(number);
            assertThat(piece.start()).as(what).isEqualTo(next);
            assertThat((piece.start() - share.start()) % unit).as(what).isZero();
            assertThat(pieces.piece(0).count() - piece.count()).as(what).isLessThan(2 * unit);
            next += piece.count();
        }
        assertThat(next).as(what).isEqualTo(whole.cursor() + whole.dropped());
    }

    @Test
    void asManyPiecesAsStepsAreAllowedAndNotOneMore() {
        var twelve = new Partition(new Share(3, Share.ALL, Tail.KEEP, 2, 2, 0, 1, 0), 3 + 45);
        assertThat(twelve.steps()).isEqualTo(12);
        assertThat(twelve.pieces(12).piece(11)).isEqualTo(new Stretch(47, 1));
        Refused.requireBad("pieces 13 is too many", () -> twelve.pieces(13));
        var five = new Partition(twelve.share().ofWorker(5, 0), 48);
        assertThat(five.pieces(3).piece(2)).isEqualTo(new Stretch(43, 5));
        Refused.requireBad("at most 3", () -> five.pieces(4));
    }

    @Test
    void piecesThatCannotBeAreRefused() {
        var drop = new Share(0, Share.ALL, Tail.DROP, 2, 2, 0, 1, 0);
        var pad = new Share(0, Share.ALL, Tail.PAD, 2, 2, 0, 1, 0);
        Refused.requireBad("pieces 0", () -> new Partition(drop, 10).pieces(0));
        Refused.requireBad("tail=pad", () -> new Partition(pad, 10).pieces(1));
        Refused.requireBad("leave pieces out", () -> new Partition(drop, 3).pieces(1));
    }

    @Test
    void hugeSplitsAreCut() {
        var share = new Share(5, Share.ALL, Tail.DROP, 1_000_000, 1_000_000, 7, 1_000_000, 3);
        var whole = new Partition(share, Long.MAX_VALUE);
        var most = (int) PieceCuts.ceiling(whole.steps(), share.workers());
        for (int count = 1; count <= most; count++) {
            requireConsecutive(whole.pieces(count), whole, count + " pieces");
        }
        var many = new Partition(new Share(0, Share.ALL, Tail.KEEP, 1, 1, 0, 1, 0), Long.MAX_VALUE);
        var last = many.pieces(1_000_000).piece(999_999);
        assertThat(last.start() + last.count()).isEqualTo(Long.MAX_VALUE);
    }

    private Share share(int samples, Tail tail) {
        var world = 1 + random.nextInt(5);
        var workers = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
        var count = random.nextBoolean() ? Share.ALL : random.nextInt(samples + 10);
        var start = random.nextBoolean() ? 0 : random.nextInt(samples + 1);
        return new Share(start, count, tail, 1 + random.nextInt(5), world, random.nextInt(world), workers, 0);
    }
}
