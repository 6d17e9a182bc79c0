package io.tarpon.metadata.history;

import java.util.List;

/// What a thing does that is asked one question after the other.
///
/// @param <S> its state, immutable, with an `equals` of its content
/// @param <I> what is asked
/// @param <O> what is answered
public interface Model<S, I, O> {
    S initial();

    /// The states after `input` was answered with `output` in this state; none where it cannot have been.
    List<S> answered(S state, I input, O output);

    /// Whether `input`, where it is answered so, changes nothing in any state.
    boolean isQuestion(I input, O output);

    /// The states after `input` took effect in this state, whatever it was answered; none where it cannot have.
    List<S> unanswered(S state, I input);
}
