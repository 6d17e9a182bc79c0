package io.tarpon.metadata.sequential;

import io.tarpon.wire.http.ProblemType;

/// What a client is answered.
public sealed interface Answer {

    /// It was not so, and now it is.
    record Changed() implements Answer {}

    /// It is so already.
    record AlreadySo() implements Answer {}

    record Refused(ProblemType why) implements Answer {}

    /// @param view one of [View]
    record Seen(View view) implements Answer {}
}
