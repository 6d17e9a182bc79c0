package io.tarpon.metadata.history;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Small things whose histories are easily judged by eye.
final class Things {
    private Things() {}

    sealed interface Ask {}

    record Read() implements Ask {}

    record Write(int value) implements Ask {}

    record Swap(int from, int to) implements Ask {}

    /// A register of a number, 0 at first. A write is answered with what it wrote, a swap with 1 where it found what it
    /// expected and 0 where not.
    static final class Register implements Model<Integer, Ask, Integer> {
        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public List<Integer> answered(Integer state, Ask input, Integer output) {
            return answer(state, input) == output ? unanswered(state, input) : List.of();
        }

        @Override
        public List<Integer> unanswered(Integer state, Ask input) {
            return List.of(
                    switch (input) {
                        case Read() -> state;
                        case Write(var value) -> value;
                        case Swap(var from, var to) -> state == from ? to : state;
                    });
        }

        @Override
        public boolean isQuestion(Ask input, Integer output) {
            return input instanceof Read || (input instanceof Swap && output == 0);
        }

        static int answer(int state, Ask input) {
            return switch (input) {
                case Read() -> state;
                case Write(var value) -> value;
                case Swap swap -> state == swap.from() ? 1 : 0;
            };
        }
    }

    sealed interface Change {}

    record Add(int element) implements Change {}

    record Remove(int element) implements Change {}

    record Elements() implements Change {}

    /// A set of numbers, empty at first. It answers every question with what it holds afterwards.
    static final class Numbers implements Model<Set<Integer>, Change, Set<Integer>> {
        @Override
        public Set<Integer> initial() {
            return Set.of();
        }

        @Override
        public List<Set<Integer>> answered(Set<Integer> state, Change input, Set<Integer> output) {
            var after = unanswered(state, input);
            return after.getFirst().equals(output) ? after : List.of();
        }

        @Override
        public boolean isQuestion(Change input, Set<Integer> output) {
            return input instanceof Elements;
        }

        @Override
        public List<Set<Integer>> unanswered(Set<Integer> state, Change input) {
            var after = new TreeSet<>(state);
            switch (input) {
                case Add(var element) -> after.add(element);
                case Remove(var element) -> after.remove(element);
                case Elements() -> {}
            }
            return List.of(after);
        }
    }
}
