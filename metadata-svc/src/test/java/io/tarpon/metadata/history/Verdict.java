package io.tarpon.metadata.history;

import java.util.List;
import java.util.stream.Collectors;

/// What a [Linearisability] check comes to.
public sealed interface Verdict<S, I, O> {

    /// The calls took effect in this order, each between its beginning and its end. Calls without an answer that are
    /// not in it had no effect.
    record Explained<S, I, O>(List<Operation<I, O>> order) implements Verdict<S, I, O> {
        public Explained {
            order = List.copyOf(order);
        }
    }

    /// No order explains every answer, and none explains those until `unexplained` returned; all before it, one does.
    ///
    /// @param prefix as many calls as could be brought into an order until then
    /// @param state after them
    /// @param stuck the calls of which one would have had to come next, and none can
    record Unexplained<S, I, O>(
            Operation<I, O> unexplained, List<Operation<I, O>> prefix, S state, List<Operation<I, O>> stuck)
            implements Verdict<S, I, O> {
        private static final int SHOWN = 12;

        public Unexplained {
            prefix = List.copyOf(prefix);
            stuck = List.copyOf(stuck);
        }

        @Override
        public String toString() {
            var left = Math.max(0, prefix.size() - SHOWN);
            return "no order explains " + unexplained + "\nordered: " + left + " calls and then\n"
                    + lines(prefix.subList(left, prefix.size())) + "\nwhich leads to " + state
                    + "\nwhere none of these can come next:\n" + lines(stuck);
        }

        private static <I, O> String lines(List<Operation<I, O>> operations) {
            return operations.stream().map(operation -> "  " + operation).collect(Collectors.joining("\n"));
        }
    }

    /// So many configurations were looked at, and neither was found.
    record Undecided<S, I, O>(int configurations) implements Verdict<S, I, O> {}
}
