package io.tarpon.cluster.plan;

/// What becomes of a process's link.
public sealed interface LinkChange {
    /// Nothing passes, and nobody is told: who sends waits.
    record Down() implements LinkChange {}

    /// Nothing passes between it and others whose links are so, too; with everybody else it goes on.
    record Apart() implements LinkChange {}

    /// Everything passes, as it did first.
    record Up() implements LinkChange {}

    /// What passes is slowed in both directions.
    ///
    /// @param rate in words of `tc`, such as `100mbit`; empty for no bound
    /// @param delay of each packet on its way, such as `5ms`; empty for none
    record Slow(String rate, String delay) implements LinkChange {
        public Slow {
            if (!rate.matches("|[1-9][0-9]{0,5}(kbit|mbit|gbit)")) {
                throw new IllegalArgumentException("'" + rate + "' is no rate such as 100mbit");
            }
            if (!delay.matches("|[1-9][0-9]{0,5}(us|ms)")) {
                throw new IllegalArgumentException("'" + delay + "' is no delay such as 5ms");
            }
            if (rate.isEmpty() && delay.isEmpty()) {
                throw new IllegalArgumentException("a slow link has a rate, a delay or both");
            }
        }
    }
}
