package io.tarpon.metadata.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.history.Things.Add;
import io.tarpon.metadata.history.Things.Ask;
import io.tarpon.metadata.history.Things.Change;
import io.tarpon.metadata.history.Things.Elements;
import io.tarpon.metadata.history.Things.Read;
import io.tarpon.metadata.history.Things.Remove;
import io.tarpon.metadata.history.Things.Swap;
import io.tarpon.metadata.history.Things.Write;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Histories that are known to be good or bad. Each call is written with the times of its beginning and its end.
class LinearisabilityTest {
    private static final int LIMIT = 10_000;

    @Test
    void readsInTheMiddleOfAWriteMaySeeEither() {
        explained(call(1, 10, new Write(1), 1), call(2, 3, new Read(), 0), call(4, 5, new Read(), 1));
        explained(call(1, 10, new Write(1), 1), call(2, 6, new Read(), 1), call(3, 7, new Read(), 0));
    }

    @Test
    void aStaleReadIsFound() {
        unexplained(call(1, 2, new Write(1), 1), call(3, 4, new Read(), 0));
    }

    @Test
    void aReadOfWhatIsNotYetWrittenIsFound() {
        unexplained(call(1, 2, new Read(), 1), call(3, 4, new Write(1), 1));
    }

    @Test
    void aReadThatGoesBackIsFound() {
        unexplained(call(1, 10, new Write(1), 1), call(2, 3, new Read(), 1), call(4, 5, new Read(), 0));
    }

    @Test
    void aLostWriteIsFound() {
        unexplained(
                call(1, 2, new Write(1), 1),
                call(3, 4, new Write(2), 2),
                call(5, 6, new Read(), 1),
                call(7, 8, new Read(), 1));
    }

    @Test
    void twoClientsThatSeeTwoOrdersOfTwoWritesAreFound() {
        unexplained(
                call(1, 20, new Write(1), 1),
                call(2, 21, new Write(2), 2),
                call(3, 4, new Read(), 1),
                call(5, 6, new Read(), 2),
                call(7, 8, new Read(), 1));
        unexplained(
                call(1, 4, new Write(1), 1),
                call(2, 5, new Write(2), 2),
                call(6, 9, new Read(), 1),
                call(7, 8, new Read(), 2));
    }

    @Test
    void aWriteWithoutAnAnswerMayHaveHappenedAtOnceLaterOrNever() {
        explained(unanswered(1, new Write(1)), call(2, 3, new Read(), 1));
        explained(
                unanswered(1, new Write(1)),
                call(2, 3, new Write(2), 2),
                call(4, 5, new Read(), 2),
                call(6, 7, new Read(), 1));
        explained(unanswered(1, new Write(1)), call(2, 3, new Read(), 0), call(4, 5, new Read(), 0));
    }

    @Test
    void aWriteWithoutAnAnswerHappensOnceAndNotBeforeItBegan() {
        unexplained(
                unanswered(1, new Write(1)),
                call(2, 3, new Read(), 1),
                call(4, 5, new Write(2), 2),
                call(6, 7, new Read(), 2),
                call(8, 9, new Read(), 1));
        unexplained(call(1, 2, new Read(), 1), unanswered(3, new Write(1)));
    }

    @Test
    void aWriteOfWhatIsThereAlreadyMayHaveComeLater() {
        explained(call(1, 10, new Write(0), 0), call(2, 5, new Write(1), 1), call(11, 12, new Read(), 0));
    }

    @Test
    void oneOfTwoSwapsFromTheSameValueFails() {
        explained(call(1, 4, new Swap(0, 1), 1), call(2, 3, new Swap(0, 2), 0), call(5, 6, new Read(), 1));
        unexplained(call(1, 4, new Swap(0, 1), 1), call(2, 3, new Swap(0, 2), 1));
    }

    @Test
    void aSwapThatFailsForNothingIsFound() {
        unexplained(call(1, 2, new Swap(0, 1), 0), call(3, 4, new Read(), 0));
        explained(unanswered(1, new Swap(0, 5)), call(2, 3, new Swap(0, 1), 0), call(4, 5, new Read(), 5));
    }

    @Test
    void whatASetHoldsTellsWhichChangesCameFirst() {
        assertThat(check(
                        new Operation<Change, Set<Integer>>(0, new Add(1), 1, 9, Set.of(1, 2)),
                        new Operation<Change, Set<Integer>>(1, new Add(2), 2, 8, Set.of(2)),
                        new Operation<Change, Set<Integer>>(2, new Remove(2), 10, 11, Set.of(1)),
                        new Operation<Change, Set<Integer>>(2, new Elements(), 12, 13, Set.of(1))))
                .isInstanceOf(Verdict.Explained.class);
        assertThat(check(
                        new Operation<Change, Set<Integer>>(0, new Add(1), 1, 9, Set.of(1)),
                        new Operation<Change, Set<Integer>>(1, new Add(2), 2, 8, Set.of(2))))
                .isInstanceOf(Verdict.Unexplained.class);
        assertThat(check(
                        new Operation<Change, Set<Integer>>(0, new Add(1), 1, 2, Set.of(1)),
                        new Operation<Change, Set<Integer>>(1, new Elements(), 3, 4, Set.of(1)),
                        new Operation<Change, Set<Integer>>(1, new Elements(), 5, 6, Set.of())))
                .isInstanceOf(Verdict.Unexplained.class);
    }

    @Test
    void anOrderIsToldThatExplainsEveryAnswer() {
        var write = call(1, 10, new Write(1), 1);
        var before = call(2, 6, new Read(), 0);
        var after = call(3, 7, new Read(), 1);
        assertThat(check(List.of(after, write, before)))
                .isEqualTo(new Verdict.Explained<>(List.of(before, write, after)));
    }

    @Test
    void theFirstAnswerIsToldThatNothingExplains() {
        var first = call(1, 2, new Write(1), 1);
        var second = call(3, 6, new Write(2), 2);
        var stale = call(4, 5, new Read(), 0);
        var alsoStale = call(7, 8, new Read(), 0);
        assertThat(check(List.of(first, second, stale, alsoStale)))
                .isEqualTo(new Verdict.Unexplained<>(stale, List.of(first, second), 2, List.of(stale)));
    }

    @Test
    void thingsOfTheirOwnAreCheckedAlone() {
        var verdicts = Linearisability.checkEach(
                ask -> ask instanceof Write(var value) ? value : 0,
                new Things.Register(),
                List.of(call(1, 2, new Write(7), 7), call(3, 4, new Read(), 0), call(5, 6, new Read(), 7)),
                LIMIT);
        assertThat(verdicts.get(7)).isInstanceOf(Verdict.Explained.class);
        assertThat(verdicts.get(0)).isInstanceOf(Verdict.Unexplained.class);
    }

    @Test
    void aSearchThatIsTooLongIsGivenUp() {
        var history = new History<Ask, Integer>();
        for (int i = 1; i <= 12; i++) {
            history.unanswered(i, new Swap(i - 1, i), history.now());
        }
        history.answered(0, new Read(), history.now(), 13);
        assertThat(Linearisability.check(new Things.Register(), history.operations(), 10))
                .isEqualTo(new Verdict.Undecided<>(10));
        assertThat(check(history.operations())).isInstanceOf(Verdict.Unexplained.class);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static void explained(Operation<Ask, Integer>... calls) {
        assertThat(Permutations.explain(new Things.Register(), List.of(calls))).isTrue();
        assertThat(check(List.of(calls))).isInstanceOf(Verdict.Explained.class);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static void unexplained(Operation<Ask, Integer>... calls) {
        assertThat(Permutations.explain(new Things.Register(), List.of(calls))).isFalse();
        assertThat(check(List.of(calls))).isInstanceOf(Verdict.Unexplained.class);
    }

    private static Verdict<Integer, Ask, Integer> check(List<Operation<Ask, Integer>> calls) {
        return Linearisability.check(new Things.Register(), calls, LIMIT);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Verdict<Set<Integer>, Change, Set<Integer>> check(Operation<Change, Set<Integer>>... calls) {
        return Linearisability.check(new Things.Numbers(), List.of(calls), LIMIT);
    }

    private static Operation<Ask, Integer> call(long invoked, long returned, Ask ask, int answer) {
        return new Operation<>((int) invoked, ask, invoked, returned, answer);
    }

    private static Operation<Ask, Integer> unanswered(long invoked, Ask ask) {
        return new Operation<>((int) invoked, ask, invoked, Operation.NEVER, null);
    }
}
