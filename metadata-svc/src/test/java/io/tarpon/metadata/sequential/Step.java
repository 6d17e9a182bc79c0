package io.tarpon.metadata.sequential;

import io.tarpon.wire.http.ProblemType;

/// What a command comes to in one state.
sealed interface Step<S> {
    record To<S>(S next) implements Step<S> {}

    record Nothing<S>() implements Step<S> {}

    record Refusal<S>(ProblemType why) implements Step<S> {}
}
