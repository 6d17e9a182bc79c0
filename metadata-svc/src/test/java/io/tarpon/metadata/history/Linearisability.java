package io.tarpon.metadata.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Whether a history is linearisable (Herlihy and Wing, "Linearizability: A Correctness Condition for Concurrent
/// Objects", TOPLAS 1990): whether its calls can be put into one order that a model explains, each call at some point
/// between its beginning and its end.
///
/// The search is that of Wing and Gong ("Testing and Verifying Concurrent Objects", JPDC 1993): the next call is one
/// that began before any other one that is left returned. Lowe's memory is added ("Testing for Linearizability",
/// CCPE 2017): the same set of calls with the same state behind it is not looked at twice. Histories of independent
/// things are checked each alone, which loses nothing (Herlihy and Wing's locality; as P-compositionality in Horn and
/// Kroening, "Faster Linearizability Checking via P-Compositionality", FORTE 2015).
///
/// Two things keep it small. A question that fits is taken at once and nothing else is tried in its place: it changes
/// nothing, so wherever it stood later in an order, it can stand here. (This is not so for a call that only here
/// changes nothing, such as a write of what is there already.) And calls without an answer are put right before an
/// answered one, the fewest first, and only where none of them could as well come after it: of all orders there are,
/// the one that has each of them as late as can be is of this kind.
public final class Linearisability<S, I, O> {
    private final Model<S, I, O> model;
    private final List<Operation<I, O>> operations;
    private final int limit;
    private final Set<Configuration<S>> seen = new HashSet<>();
    private int tried;
    /// How many calls without an answer may stand before an answered one.
    private int longest;
    /// Whether more than that could have.
    private boolean cut;
    private final Deque<Node> path = new ArrayDeque<>();
    private Verdict.@Nullable Unexplained<S, I, O> furthest;

    private record Configuration<S>(BitSet done, S state) {}

    /// Calls that come next, an answered one last, and the state after them.
    private record Step<S>(List<Integer> operations, S state) {}

    /// One configuration on the way, and where it can go from here.
    private final class Node {
        private final List<Integer> operations;
        private final BitSet done;
        private final S state;
        private final int deadline;
        private final List<Integer> answered = new ArrayList<>();
        private final List<Integer> unanswered = new ArrayList<>();
        private final Deque<Step<S>> steps = new ArrayDeque<>();
        /// Calls without an answer that may stand before the next answered one; those of as many calls as are tried
        /// now.
        private List<Step<S>> blocks;

        private Node(List<Integer> operations, BitSet done, S state) {
            this.operations = operations;
            this.done = done;
            this.state = state;
            this.deadline = deadline(done);
            this.blocks = deadline < 0 ? List.of() : List.of(new Step<>(List.of(), state));
            if (deadline >= 0) {
                // Of calls that ask the same and are never answered, the one that began first is as good as any.
                var asked = new HashSet<I>();
                candidates(done, deadline).stream()
                        .filter(i -> isAnswered(i) || asked.add(operation(i).input()))
                        .forEach(i -> (isAnswered(i) ? answered : unanswered).add(i));
                var question = answered.stream()
                        .filter(i -> isQuestion(i) && !after(i, state).isEmpty())
                        .findFirst();
                if (question.isPresent()) {
                    steps.add(new Step<>(List.of(question.get()), state));
                    blocks = List.of();
                }
            }
        }

        /// Null where there is none any more.
        private @Nullable Step<S> next() {
            while (steps.isEmpty() && !blocks.isEmpty()) {
                blocks.forEach(this::answerAfter);
                blocks = longer();
            }
            return steps.poll();
        }

        private void answerAfter(Step<S> block) {
            for (var i : answered) {
                for (var next : after(i, block.state())) {
                    if (block.operations().stream()
                            .noneMatch(late -> canComeAfter(late, block.operations(), i, next))) {
                        var all = new ArrayList<>(block.operations());
                        all.add(i);
                        steps.add(new Step<>(all, next));
                    }
                }
            }
        }

        /// Whether everything is as well where `late` comes after the answered call, or never.
        private boolean canComeAfter(int late, List<Integer> block, int answer, S next) {
            var states = List.of(state);
            for (var i : Stream.concat(block.stream().filter(i -> i != late), Stream.of(answer))
                    .toList()) {
                states =
                        states.stream().flatMap(from -> after(i, from).stream()).toList();
            }
            return states.stream()
                    .anyMatch(without ->
                            without.equals(next) || after(late, without).contains(next));
        }

        /// One call more in each, in whatever order: sets of calls that lead to one state are one.
        private List<Step<S>> longer() {
            if (blocks.getFirst().operations().size() == longest) {
                cut |= blocks.getFirst().operations().size() < unanswered.size();
                return List.of();
            }
            var found = new LinkedHashMap<Configuration<S>, Step<S>>();
            for (var block : blocks) {
                for (var i : unanswered) {
                    if (!block.operations().contains(i)) {
                        var all = new ArrayList<>(block.operations());
                        all.add(i);
                        var set = new BitSet();
                        all.forEach(set::set);
                        after(i, block.state()).stream()
                                .filter(next -> !next.equals(block.state()))
                                .forEach(next ->
                                        found.putIfAbsent(new Configuration<>(set, next), new Step<>(all, next)));
                    }
                }
            }
            tried += found.size();
            return List.copyOf(found.values());
        }
    }

    private Linearisability(Model<S, I, O> model, List<Operation<I, O>> operations, int limit) {
        this.model = model;
        this.operations = operations.stream()
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        this.limit = limit;
    }

    /// @param limit how many configurations are looked at, at most
    public static <S, I, O> Verdict<S, I, O> check(Model<S, I, O> model, List<Operation<I, O>> operations, int limit) {
        return new Linearisability<>(model, operations, limit).search();
    }

    /// The calls of each key are about a thing of their own, which is as the model says.
    ///
    /// @param limit how many configurations are looked at for each key, at most
    public static <K, S, I, O> Map<K, Verdict<S, I, O>> checkEach(
            Function<? super I, K> key, Model<S, I, O> model, List<Operation<I, O>> operations, int limit) {
        var parts = new LinkedHashMap<K, List<Operation<I, O>>>();
        operations.forEach(operation -> parts.computeIfAbsent(key.apply(operation.input()), _ -> new ArrayList<>())
                .add(operation));
        var verdicts = new LinkedHashMap<K, Verdict<S, I, O>>();
        parts.forEach((name, part) -> verdicts.put(name, check(model, part, limit)));
        return verdicts;
    }

    /// With few calls at a time first: more are hardly ever needed, and there are very many ways to choose them.
    private Verdict<S, I, O> search() {
        for (longest = 1; true; longest *= 2) {
            cut = false;
            tried = 0;
            seen.clear();
            path.clear();
            furthest = null;
            var verdict = pass();
            if (!(verdict instanceof Verdict.Unexplained<S, I, O>) || !cut) {
                return verdict;
            }
        }
    }

    private Verdict<S, I, O> pass() {
        enter(List.of(), new BitSet(), model.initial());
        while (!path.isEmpty()) {
            var node = path.getLast();
            if (node.deadline < 0) {
                return new Verdict.Explained<>(order());
            }
            var step = node.next();
            if (tried > limit) {
                return new Verdict.Undecided<>(limit);
            }
            if (step == null) {
                path.removeLast();
                continue;
            }
            var done = (BitSet) node.done.clone();
            step.operations().forEach(done::set);
            // What follows by a question alone is met once, as what it follows is.
            if (isQuestion(step.operations().getFirst()) || seen.add(new Configuration<>(done, step.state()))) {
                tried++;
                enter(step.operations(), done, step.state());
            }
        }
        if (furthest == null) {
            throw new IllegalStateException("a history that has no order has a first call without one");
        }
        return furthest;
    }

    private void enter(List<Integer> next, BitSet done, S state) {
        var node = new Node(next, done, state);
        path.addLast(node);
        if (node.deadline >= 0 && isFurther(node)) {
            var stuck = candidates(done, node.deadline).stream()
                    .map(operations::get)
                    .toList();
            var order = order();
            furthest = new Verdict.Unexplained<>(operations.get(node.deadline), order, state, stuck);
        }
    }

    /// Of two that wait for the same call to return, the one that has ordered more.
    private boolean isFurther(Node node) {
        if (furthest == null) {
            return true;
        }
        var returned = operations.get(node.deadline).returned();
        return returned > furthest.unexplained().returned()
                || (returned == furthest.unexplained().returned()
                        && node.done.cardinality() > furthest.prefix().size());
    }

    private List<Operation<I, O>> order() {
        return path.stream()
                .flatMap(node -> node.operations.stream())
                .map(operations::get)
                .toList();
    }

    /// The first call to return of those that are left; below 0 where none does.
    private int deadline(BitSet done) {
        var first = -1;
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            var operation = operations.get(i);
            if (first >= 0 && operation.invoked() > operations.get(first).returned()) {
                break;
            }
            if (operation.isAnswered()
                    && (first < 0
                            || operation.returned() < operations.get(first).returned())) {
                first = i;
            }
        }
        return first;
    }

    /// Those that may come next: they began before one returned that is left. In order of their returns.
    private List<Integer> candidates(BitSet done, int deadline) {
        var returned = operations.get(deadline).returned();
        var candidates = new ArrayList<Integer>();
        for (int i = done.nextClearBit(0);
                i < operations.size() && operations.get(i).invoked() < returned;
                i = done.nextClearBit(i + 1)) {
            candidates.add(i);
        }
        candidates.sort(Comparator.comparingLong(i -> operations.get(i).returned()));
        return candidates;
    }

    private Operation<I, O> operation(int i) {
        return operations.get(i);
    }

    private boolean isAnswered(int i) {
        return operation(i).isAnswered();
    }

    private boolean isQuestion(int i) {
        var operation = operations.get(i);
        var output = operation.output();
        return output != null && model.isQuestion(operation.input(), output);
    }

    private List<S> after(int i, S state) {
        var operation = operations.get(i);
        var output = operation.output();
        return output == null
                ? model.unanswered(state, operation.input())
                : model.answered(state, operation.input(), output);
    }
}
