package io.tarpon.store.s3;

import java.util.concurrent.atomic.AtomicInteger;

/// How many requests the users of one client may repeat: a server in trouble gets this many more requests than it was
/// asked for and no more, however many readers there are. Safe for several threads.
///
/// Held in fifths: a repetition takes five, a success that needed none gives one back, a success after a repetition
/// gives back what it took.
final class RetryBudget {
    private static final int COST = 5;

    private final int most;
    private final AtomicInteger left;

    RetryBudget(int repetitions) {
        this.most = repetitions * COST;
        this.left = new AtomicInteger(most);
    }

    /// Says whether a request may be repeated, and counts it.
    boolean take() {
        return left.getAndUpdate(now -> now < COST ? now : now - COST) >= COST;
    }

    /// A request succeeded at last.
    ///
    /// @param repetitions how often it took
    void succeeded(int repetitions) {
        int earned = repetitions == 0 ? 1 : repetitions * COST;
        left.updateAndGet(now -> Math.min(most, now + earned));
    }
}
