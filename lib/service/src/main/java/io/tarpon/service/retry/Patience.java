package io.tarpon.service.retry;

import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;

/// The one retry policy: makes an attempt until it succeeds, for as long as its failure may pass. There is no limit of
/// time and none of attempts, since whatever gives up has to drop work that nothing was wrong with; the pauses are
/// limited. What failed and may pass shows in [Waits] until the attempt has ended. Attempts are idempotent. Safe for
/// several threads.
///
/// A class of our own and not SmallRye Fault Tolerance's programmatic retry: that cannot be cut short by anything but
/// an interrupt (work is abandoned by a shutdown, by a partition that was taken away and by a cancelled version), says
/// nowhere what it is waiting for, and would be one more library in every image for what is one loop.
public final class Patience {
    private static final Logger LOG = Logger.getLogger(Patience.class);

    /// How long a pause goes on without a look whether anybody still wants the work.
    private static final Duration LOOK = Duration.ofMillis(50);

    private final Pauses pauses;
    private final Predicate<Exception> mayPass;
    private final Waits waits;
    private final BooleanSupplier abandoned;
    private final RandomGenerator jitter;

    /// @param mayPass judges an [IOException] or a [TarponException]; [Failures#mayPass] where no more is known
    /// @param abandoned asked before each attempt and during each pause, so it answers at once
    public Patience(Pauses pauses, Predicate<Exception> mayPass, Waits waits, BooleanSupplier abandoned) {
        this(
                pauses,
                mayPass,
                waits,
                abandoned,
                () -> ThreadLocalRandom.current().nextLong());
    }

    Patience(
            Pauses pauses,
            Predicate<Exception> mayPass,
            Waits waits,
            BooleanSupplier abandoned,
            RandomGenerator jitter) {
        this.pauses = pauses;
        this.mayPass = mayPass;
        this.waits = waits;
        this.abandoned = abandoned;
        this.jitter = jitter;
    }

    /// The same for work that something else ends as well.
    public Patience until(BooleanSupplier abandonedToo) {
        return new Patience(
                pauses, mayPass, waits, () -> abandoned.getAsBoolean() || abandonedToo.getAsBoolean(), jitter);
    }

    /// One attempt: its answer, or why there is none.
    @FunctionalInterface
    public interface Attempt<T, E extends Exception> {
        T make() throws IOException, E;
    }

    /// The answer of the first attempt that succeeds.
    ///
    /// @param what the step and the thing, for the log and for [Waits]
    /// @throws IOException that of an attempt, where trying again cannot help
    /// @throws TarponException likewise
    /// @throws AbandonedException once the work is not wanted any more, or the thread was interrupted. What failed
    ///     after that is not judged
    public <T, E extends Exception> T keepTrying(String what, Attempt<T, E> attempt) throws IOException, E {
        try (var entry = waits.entry(what)) {
            while (true) {
                requireWanted(what);
                Waits.Wait wait;
                try {
                    return attempt.make();
                } catch (IOException | TarponException e) {
                    requireWanted(what);
                    if (!mayPass.test(e)) {
                        throw e;
                    }
                    wait = entry.failed(e);
                }
                var pause = pauses.after(wait.failures(), jitter);
                LOG.warnf(
                        "attempt failed what=\"%s\" failures=%d againInMs=%d reason=%s",
                        what, wait.failures(), pause.toMillis(), wait.reason());
                pause(what, pause);
            }
        }
    }

    private void pause(String what, Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        try {
            for (long left = pause.toNanos(); left > 0; left = end - System.nanoTime()) {
                requireWanted(what);
                Thread.sleep(Duration.ofNanos(Math.min(left, LOOK.toNanos())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbandonedException("interrupted between two attempts: " + what, e);
        }
    }

    private void requireWanted(String what) {
        if (abandoned.getAsBoolean() || Thread.currentThread().isInterrupted()) {
            throw new AbandonedException("not wanted any more: " + what);
        }
    }
}
