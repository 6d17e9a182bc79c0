package io.tarpon.metadata.history;

import java.util.ArrayList;
import java.util.List;

/// Calls as they are made, by a logical clock that goes on with every beginning and every end. One thread.
public final class History<I, O> {
    private final List<Operation<I, O>> operations = new ArrayList<>();
    private long clock;

    /// The time of something that happens now.
    public long now() {
        return ++clock;
    }

    /// A call that began at `invoked` is answered now.
    public void answered(int client, I input, long invoked, O output) {
        operations.add(new Operation<>(client, input, invoked, now(), output));
    }

    /// Nobody will ever know what became of a call that began at `invoked`.
    public void unanswered(int client, I input, long invoked) {
        operations.add(new Operation<>(client, input, invoked, Operation.NEVER, null));
    }

    public List<Operation<I, O>> operations() {
        return List.copyOf(operations);
    }
}
