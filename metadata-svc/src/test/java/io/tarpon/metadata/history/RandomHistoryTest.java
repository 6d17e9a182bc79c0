package io.tarpon.metadata.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.history.Things.Ask;
import io.tarpon.metadata.history.Things.Read;
import io.tarpon.metadata.history.Things.Swap;
import io.tarpon.metadata.history.Things.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The checker against histories of a real register, whose calls are then stretched until they overlap, against such
/// histories with a lie in them, and against the definition.
class RandomHistoryTest {
    private static final int LIMIT = 1_000_000;
    private static final int NEVER_WRITTEN = 99;
    private static final Things.Register REGISTER = new Things.Register();

    @Test
    void whatARegisterDidIsAlwaysExplained() {
        for (int seed = 0; seed < 500; seed++) {
            var history = history(new Random(seed), 40, 60);
            assertThat(Linearisability.check(REGISTER, history, LIMIT))
                    .as("seed %d", seed)
                    .isInstanceOf(Verdict.Explained.class);
        }
    }

    @Test
    void aReadOfWhatNobodyWroteIsAlwaysFound() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var history = new ArrayList<>(history(random, 30, 40));
            var lie = random.nextInt(history.size());
            var told = history.get(lie);
            var end = told.isAnswered() ? told.returned() : told.invoked() + 50;
            history.set(lie, new Operation<>(told.client(), new Read(), told.invoked(), end, NEVER_WRITTEN));
            assertThat(Linearisability.check(REGISTER, history, LIMIT))
                    .as("seed %d", seed)
                    .isInstanceOf(Verdict.Unexplained.class);
        }
    }

    @Test
    void smallHistoriesWithOneOtherAnswerAreJudgedAsByTheDefinition() {
        var good = 0;
        var bad = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            var random = new Random(seed);
            var history = new ArrayList<>(history(random, 6, 40));
            var lie = random.nextInt(history.size());
            var told = history.get(lie);
            if (told.isAnswered()) {
                history.set(
                        lie,
                        new Operation<>(
                                told.client(), told.input(), told.invoked(), told.returned(), random.nextInt(3)));
            }
            var expected = Permutations.explain(REGISTER, history);
            var verdict = Linearisability.check(REGISTER, history, LIMIT);
            assertThat(verdict)
                    .as("seed %d", seed)
                    .isInstanceOf(expected ? Verdict.Explained.class : Verdict.Unexplained.class);
            switch (verdict) {
                case Verdict.Explained<Integer, Ask, Integer> explained -> {
                    good++;
                    checkOrder(history, explained.order());
                }
                case Verdict.Unexplained<Integer, Ask, Integer> unexplained -> {
                    bad++;
                    checkShortest(history, unexplained.unexplained().returned());
                }
                case Verdict.Undecided<Integer, Ask, Integer> _ -> throw new AssertionError("seed " + seed);
            }
        }
        assertThat(good).isGreaterThan(500);
        assertThat(bad).isGreaterThan(500);
    }

    /// The order told is one by the definition, of all that was answered.
    private static void checkOrder(List<Operation<Ask, Integer>> history, List<Operation<Ask, Integer>> order) {
        assertThat(history).containsAll(order);
        assertThat(order)
                .containsAll(history.stream().filter(Operation::isAnswered).toList());
        var state = REGISTER.initial();
        var latestBeginning = 0L;
        for (var operation : order) {
            assertThat(operation.returned()).isGreaterThan(latestBeginning);
            latestBeginning = Math.max(latestBeginning, operation.invoked());
            var output = operation.output();
            state = (output == null
                            ? REGISTER.unanswered(state, operation.input())
                            : REGISTER.answered(state, operation.input(), output))
                    .getFirst();
        }
    }

    /// What returned until then has no order; without the last of it, it has one.
    private static void checkShortest(List<Operation<Ask, Integer>> history, long returned) {
        assertThat(isExplainedUntil(returned, history)).isFalse();
        assertThat(isExplainedUntil(returned - 1, history)).isTrue();
    }

    /// With or without any of those that had begun and not returned.
    private static boolean isExplainedUntil(long time, List<Operation<Ask, Integer>> history) {
        var open = history.stream()
                .filter(operation -> operation.invoked() <= time && operation.returned() > time)
                .toList();
        for (int taken = 0; taken < 1 << open.size(); taken++) {
            var calls = new ArrayList<>(history.stream()
                    .filter(operation -> operation.returned() <= time)
                    .toList());
            for (int i = 0; i < open.size(); i++) {
                if ((taken >> i & 1) == 1) {
                    calls.add(open.get(i));
                }
            }
            if (Permutations.explain(REGISTER, calls)) {
                return true;
            }
        }
        return false;
    }

    /// Calls that took effect one after the other, ten ticks apart, each begun and answered up to `stretch` ticks
    /// away. Some were never answered, and half of those had no effect. No two begin or return at the same time.
    private static List<Operation<Ask, Integer>> history(Random random, int calls, int stretch) {
        var history = new ArrayList<Operation<Ask, Integer>>();
        var state = 0;
        for (int i = 0; i < calls; i++) {
            var ask = ask(random);
            var answered = random.nextInt(6) > 0;
            var effective = answered || random.nextBoolean();
            var answer = Things.Register.answer(state, ask);
            var at = 1_000L * (10 * i + stretch + 1);
            var invoked = at - 1_000L * random.nextInt(stretch) - 2L * i - 2;
            var returned = at + 1_000L * random.nextInt(stretch) + 2L * i + 1;
            history.add(
                    answered
                            ? new Operation<>(i, ask, invoked, returned, answer)
                            : new Operation<>(i, ask, invoked, Operation.NEVER, null));
            if (effective) {
                state = REGISTER.unanswered(state, ask).getFirst();
            }
        }
        return history;
    }

    private static Ask ask(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Read();
            case 1 -> new Write(random.nextInt(3));
            default -> new Swap(random.nextInt(3), random.nextInt(3));
        };
    }
}
