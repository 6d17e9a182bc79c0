package io.tarpon.shard;

import io.tarpon.shard.assembly.AbandonedException;
import io.tarpon.shard.assembly.UnreadableInputException;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;

/// Tries a step again while its failure may pass, with a pause that doubles, jittered by half, and a limit. Steps are
/// idempotent. Safe for several threads.
final class Attempts {
    private static final Logger LOG = Logger.getLogger(Attempts.class);

    /// An input that cannot be read is mostly a matter of rights, which waiting does not change; the S3 client has
    /// tried on its own as well. A version that is being planned mostly is for longer than anybody should wait.
    private static final int FEW = 3;

    private static final Duration POLL = Duration.ofMillis(50);

    private final int limit;
    private final Duration firstPause;
    private final Duration longestPause;
    private final RandomGenerator jitter;
    private final BooleanSupplier abandoned;

    /// @param limit attempts at one step, the first included
    /// @param abandoned cuts a pause short with [AbandonedException]
    Attempts(int limit, Duration firstPause, Duration longestPause, RandomGenerator jitter, BooleanSupplier abandoned) {
        this.limit = limit;
        this.firstPause = firstPause;
        this.longestPause = longestPause;
        this.jitter = jitter;
        this.abandoned = abandoned;
    }

    /// One step: its answer, or why there is none.
    @FunctionalInterface
    interface Step<T> {
        T run() throws IOException, DeadShardException;
    }

    /// @throws DeadShardException from the step, or with `gave-up` after the last attempt
    <T> T run(String what, Step<T> step) throws DeadShardException {
        for (int attempt = 1; ; attempt++) {
            Exception failure;
            try {
                return step.run();
            } catch (IOException e) {
                failure = e;
            } catch (TarponException e) {
                if (!e.type().retryable() && e.type() != ProblemType.INTERNAL) {
                    throw e;
                }
                failure = e;
            }
            if (attempt >= limitFor(failure)) {
                throw gaveUp(what, attempt, failure);
            }
            LOG.warnf("step failed, trying again step=%s attempt=%d error=%s", what, attempt, failure);
            pause(attempt);
        }
    }

    /// Asks again, a few times, until the answer is one to act on, and gives back the last answer.
    <T> T settled(String what, Predicate<T> settled, Step<T> step) throws DeadShardException {
        var answer = run(what, step);
        for (int ask = 1; ask < FEW && !settled.test(answer); ask++) {
            pause(ask);
            answer = run(what, step);
        }
        return answer;
    }

    private int limitFor(Exception failure) {
        return failure instanceof UnreadableInputException ? Math.min(limit, FEW) : limit;
    }

    private static DeadShardException gaveUp(String what, int attempts, Exception failure) {
        var detail = what + " did not succeed in " + attempts + " attempts: " + failure.getMessage();
        return failure instanceof UnreadableInputException
                ? new DeadShardException(
                        DeadReason.SOURCE_UNREADABLE,
                        detail + "; give Tarpon the right to read it and ingest the dataset again",
                        failure)
                : new DeadShardException(DeadReason.GAVE_UP, detail, failure);
    }

    private void pause(int attempt) {
        long doubled = firstPause.toMillis() << Math.min(attempt - 1, 20);
        long millis = Math.min(doubled, longestPause.toMillis());
        long end = System.nanoTime()
                + Duration.ofMillis(millis / 2 + jitter.nextLong(millis / 2 + 1))
                        .toNanos();
        try {
            while (System.nanoTime() < end) {
                if (abandoned.getAsBoolean()) {
                    throw new AbandonedException("given up between two attempts, the process stops");
                }
                Thread.sleep(Duration.ofNanos(Math.clamp(end - System.nanoTime(), 0, POLL.toNanos())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException("interrupted between two attempts");
        }
    }
}
