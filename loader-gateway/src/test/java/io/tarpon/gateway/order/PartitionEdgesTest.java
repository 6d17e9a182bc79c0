package io.tarpon.gateway.order;

import static io.tarpon.gateway.fixture.Refused.requireBad;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class PartitionEdgesTest {
    private static final long HUGE = Long.MAX_VALUE;
    private static final int MOST = Share.MOST;

    @ParameterizedTest
    @EnumSource
    void nothingLeftIsEmptyWhateverTheTail(Tail tail) {
        for (var partition : new Partition[] {
            new Partition(new Share(0, Share.ALL, tail, 3, 4, 1, 2, 1), 0),
            new Partition(new Share(10, Share.ALL, tail, 3, 4, 1, 2, 1), 10),
            new Partition(new Share(4, 0, tail, 3, 4, 1, 2, 1), 10),
            new Partition(new Share(HUGE, HUGE, tail, MOST, MOST, 0, MOST, 0), HUGE)
        }) {
            assertThat(partition.samples()).isZero();
            assertThat(partition.span()).isEmpty();
            assertThat(partition.steps()).isZero();
            assertThat(partition.cursor()).isEqualTo(partition.share().start());
            assertThat(partition.dropped() + partition.padded()).isZero();
        }
    }

    @Test
    void startBeyondTheEndIsRefused() {
        requireBad("start 11 is beyond the end", () -> new Partition(share(11, Tail.DROP, 1, 1), 10));
        requireBad("start 1 is beyond the end", () -> new Partition(share(1, Tail.KEEP, 1, 1), 0));
    }

    @Test
    void paddingNeedsAFullStep() {
        requireBad("world * batch = 12", () -> new Partition(share(0, Tail.PAD, 3, 4), 11));
        requireBad("world * batch = 12", () -> new Partition(share(9, Tail.PAD, 3, 4), 10));
        requireBad("use a smaller count", () -> new Partition(share(0, Tail.PAD, 2, 1), HUGE));
        assertThat(new Partition(share(0, Tail.PAD, 3, 4), 12).padded()).isZero();
        assertThat(new Partition(share(0, Tail.PAD, 3, 4), 13).padded()).isEqualTo(11);
    }

    @Test
    void tooFewToFillAStepAreDroppedWhole() {
        var partition = new Partition(share(2, Tail.DROP, 3, 4), 13);
        assertThat(partition.samples()).isZero();
        assertThat(partition.dropped()).isEqualTo(11);
        assertThat(partition.cursor()).isEqualTo(2);
    }

    @Test
    void startAndCountAreCutAtTheEnd() {
        var partition = new Partition(new Share(5, HUGE, Tail.KEEP, 2, 1, 0, 1, 0), 10);
        assertThat(partition.samples()).isEqualTo(5);
        assertThat(partition.cursor()).isEqualTo(10);
        assertThat(partition.span()).contains(new Span(5, 9));
        assertThat(new Span(5, 9).wireForm()).isEqualTo("5-9");
    }

    @ParameterizedTest
    @EnumSource(names = {"DROP", "KEEP"})
    void numbersUpToTheLargestDoNotOverflow(Tail tail) {
        for (int world : new int[] {1, 3, MOST}) {
            for (int workers : new int[] {1, 7, MOST}) {
                for (var samples : new long[] {HUGE, HUGE - 1, HUGE - 999_999, 1L << 62}) {
                    var share = new Share(0, HUGE, tail, MOST, world, world - 1, workers, workers - 1);
                    requireConsistent(new Partition(share, samples), samples);
                }
            }
        }
    }

    @Test
    void paddingUpToTheLargestDoesNotOverflow() {
        var step = (long) MOST * MOST;
        for (var samples : new long[] {HUGE - step, HUGE - step - 12_345}) {
            requireConsistent(new Partition(new Share(0, HUGE, Tail.PAD, MOST, MOST, 0, 1, 0), samples), samples);
            requireConsistent(
                    new Partition(new Share(0, HUGE, Tail.PAD, MOST, MOST, MOST - 1, 3, 1), samples), samples);
        }
    }

    private static void requireConsistent(Partition partition, long samples) {
        var span = partition.span().orElseThrow();
        assertThat(span.lowest()).isNotNegative();
        assertThat(span.highest()).isLessThan(samples);
        assertThat(partition.position(0)).isBetween(span.lowest(), span.highest());
        assertThat(partition.position(partition.samples() - 1)).isBetween(span.lowest(), span.highest());
        assertThat(partition.cursor() + partition.dropped()).isEqualTo(samples);
        assertThat(partition.steps()).isPositive();
        assertThat(partition.cursorAfter(HUGE)).isEqualTo(partition.cursor());
        assertThatThrownBy(() -> partition.position(partition.samples())).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void sharesThatAreNoneAreRefusedByName() {
        requireBad("start -1", () -> share(-1, Tail.DROP, 1, 1));
        requireBad("count -1", () -> new Share(0, -1, Tail.DROP, 1, 1, 0, 1, 0));
        requireBad("world 0", () -> share(0, Tail.DROP, 1, 0));
        requireBad("batch 0", () -> share(0, Tail.DROP, 0, 1));
        requireBad("batch 1000001", () -> share(0, Tail.DROP, MOST + 1, 1));
        requireBad("workers 0", () -> new Share(0, 1, Tail.DROP, 1, 1, 0, 0, 0));
        requireBad("rank 4 does not exist with world 4", () -> new Share(0, 1, Tail.DROP, 1, 4, 4, 1, 0));
        requireBad("worker 2 does not exist with workers 2", () -> new Share(0, 1, Tail.DROP, 1, 4, 0, 2, 2));
    }

    @Test
    void wordsAreReadAndUnknownOnesRefused() {
        for (var tail : Tail.values()) {
            assertThat(Tail.parse(tail.wireName())).isEqualTo(tail);
        }
        for (var shuffle : Shuffle.values()) {
            assertThat(Shuffle.parse(shuffle.wireName())).isEqualTo(shuffle);
        }
        requireBad("tail 'DROP'", () -> Tail.parse("DROP"));
        requireBad("shuffle ''", () -> Shuffle.parse(""));
    }

    private static Share share(long start, Tail tail, int batch, int world) {
        return new Share(start, Share.ALL, tail, batch, world, 0, 1, 0);
    }
}
