package io.tarpon.metadata.history;

import java.util.ArrayList;
import java.util.List;

/// Whether a history of few calls is linearisable, straight from the definition: some order of all answered calls and
/// of any others is tried that fits, all of them if need be. It shares nothing with [Linearisability].
final class Permutations {
    private Permutations() {}

    static <S, I, O> boolean explain(Model<S, I, O> model, List<Operation<I, O>> operations) {
        return anyOrder(model, List.of(), operations);
    }

    private static <S, I, O> boolean anyOrder(
            Model<S, I, O> model, List<Operation<I, O>> order, List<Operation<I, O>> rest) {
        if (rest.stream().noneMatch(Operation::isAnswered) && keepsTime(order) && fits(model, order)) {
            return true;
        }
        for (int i = 0; i < rest.size(); i++) {
            var longer = new ArrayList<>(order);
            longer.add(rest.get(i));
            var others = new ArrayList<>(rest);
            others.remove(i);
            if (anyOrder(model, longer, others)) {
                return true;
            }
        }
        return false;
    }

    /// No call stands before one that had returned when it began.
    private static <I, O> boolean keepsTime(List<Operation<I, O>> order) {
        for (int i = 0; i < order.size(); i++) {
            for (int j = i + 1; j < order.size(); j++) {
                if (order.get(j).returned() < order.get(i).invoked()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static <S, I, O> boolean fits(Model<S, I, O> model, List<Operation<I, O>> order) {
        var states = List.of(model.initial());
        for (var operation : order) {
            var next = new ArrayList<S>();
            for (var state : states) {
                var output = operation.output();
                next.addAll(
                        output == null
                                ? model.unanswered(state, operation.input())
                                : model.answered(state, operation.input(), output));
            }
            states = next;
        }
        return !states.isEmpty();
    }
}
