package io.tarpon.metadata.sequential;

import io.tarpon.metadata.history.Model;
import io.tarpon.metadata.image.Command;
import java.util.List;
import java.util.Optional;

/// A model of something that commands change and that can be seen.
abstract class Stepping<S> implements Model<S, Ask, Answer> {
    /// What a command can come to: one thing, but for those that rest on when something happened.
    abstract List<Step<S>> steps(S state, Command<?> command);

    /// What is seen of it; empty where there is nothing to see.
    abstract Optional<? extends View> view(S state, Ask ask);

    @Override
    public final List<S> answered(S state, Ask ask, Answer answer) {
        if (ask instanceof Ask.Do(var command)) {
            return steps(state, command).stream()
                    .filter(step -> isAnsweredWith(step, answer))
                    .map(step -> step instanceof Step.To<S>(var next) ? next : state)
                    .toList();
        }
        var seen = view(state, ask);
        var explains = seen.isPresent() ? answer.equals(new Answer.Seen(seen.get())) : answer instanceof Answer.Refused;
        return explains ? List.of(state) : List.of();
    }

    private static boolean isAnsweredWith(Step<?> step, Answer answer) {
        return switch (step) {
            case Step.To<?> _ -> answer instanceof Answer.Changed;
            case Step.Nothing<?> _ -> answer instanceof Answer.AlreadySo;
            case Step.Refusal<?>(var why) -> answer.equals(new Answer.Refused(why));
        };
    }

    @Override
    public final List<S> unanswered(S state, Ask ask) {
        return ask instanceof Ask.Do(var command)
                ? steps(state, command).stream()
                        .filter(step -> step instanceof Step.To<S>)
                        .map(step -> ((Step.To<S>) step).next())
                        .toList()
                : List.of();
    }

    @Override
    public final boolean isQuestion(Ask ask, Answer answer) {
        return !(answer instanceof Answer.Changed);
    }
}
