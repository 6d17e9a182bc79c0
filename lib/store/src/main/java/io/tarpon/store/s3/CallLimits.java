package io.tarpon.store.s3;

import io.tarpon.store.S3Config;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/// How long, how often and how much of it: what bounds every request of one bucket's client.
record CallLimits(S3Config config, RetryBudget budget) {
    private static final int MOST_TIMES_LONGER = 60;

    static CallLimits of(S3Config config) {
        return new CallLimits(config, new RetryBudget(config.retryBudget()));
    }

    BackoffStrategy pauses() {
        return BackoffStrategy.exponentialDelayHalfJitter(config.firstPause(), config.longestPause());
    }

    BackoffStrategy pausesWhenAskedForLess() {
        Duration first = config.firstPause().multipliedBy(5);
        return BackoffStrategy.exponentialDelayHalfJitter(
                first.compareTo(config.longestPause()) < 0 ? first : config.longestPause(), config.longestPause());
    }

    /// Waits before a read goes on after a break.
    ///
    /// @param repetition from 1
    void pause(int repetition) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(pauses().computeDelay(repetition).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted between two attempts at a read");
        }
    }

    /// Whether a body that came in so much time is too slow to wait for its rest.
    boolean isTooSlow(long bytes, long waitedNanos) {
        if (config.minBytesPerSecond() == 0) {
            return false;
        }
        double allowedSeconds = config.readTimeout().toMillis() / 1000.0 + (double) bytes / config.minBytesPerSecond();
        return waitedNanos / 1e9 > allowedSeconds;
    }

    Duration attemptTimeout(int timesLonger) {
        return config.attemptTimeout().multipliedBy(Math.min(timesLonger, MOST_TIMES_LONGER));
    }

    Duration callTimeout(int timesLonger) {
        return config.callTimeout().multipliedBy(Math.min(timesLonger, MOST_TIMES_LONGER));
    }
}
