package io.tarpon.metadata;

import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ExpireVersion;
import io.tarpon.metadata.image.ForgetNode;
import io.tarpon.metadata.image.ForgetVersion;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/// Removes versions that failed long ago, so that their objects can be collected, and forgets versions that were
/// collected and nodes that left long ago, so that they take no memory. One thread looks now and then; a version that
/// is retried meanwhile stays, because the command is decided on its life.
final class Expiry implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Expiry.class);
    private static final int AT_ONCE = 100;

    private final Queries queries;
    private final Commands commands;
    private final Readiness readiness;
    private final InstantSource clock;
    private final Duration after;
    private final Duration forgetAfter;
    private final Duration interval;
    private final Thread thread;

    /// @param after how long a failed version stays; zero for ever
    /// @param forgetAfter how long a collected version and a node that left are known; zero for ever
    /// @param interval pause between two looks
    Expiry(
            Queries queries,
            Commands commands,
            Readiness readiness,
            InstantSource clock,
            Duration after,
            Duration forgetAfter,
            Duration interval) {
        this.queries = queries;
        this.commands = commands;
        this.readiness = readiness;
        this.clock = clock;
        this.after = after;
        this.forgetAfter = forgetAfter;
        this.interval = interval;
        this.thread = Thread.ofPlatform().daemon().name("metadata-expiry").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(interval);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// What goes wrong in one look must not end the next ones.
    private void look() {
        try {
            if (readiness.obstacle().isEmpty()) {
                if (after.isPositive()) {
                    expire(clock.instant().minus(after));
                }
                if (forgetAfter.isPositive()) {
                    forget(clock.instant().minus(forgetAfter));
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.errorf(e, "versions not expired");
        }
    }

    private void expire(Instant failedUpTo) {
        run(
                () -> queries.atLeast(0, reads -> reads.failed(failedUpTo, AT_ONCE))
                        .value(),
                found -> new ExpireVersion(found.dataset(), found.version(), failedUpTo));
    }

    private void forget(Instant upTo) {
        run(
                () -> queries.atLeast(0, reads -> reads.forgettable(upTo, AT_ONCE))
                        .value(),
                found -> new ForgetVersion(found.dataset(), found.version(), upTo));
        run(
                () -> queries.atLeast(0, reads -> reads.forgettableNodes(upTo, AT_ONCE))
                        .value(),
                found -> new ForgetNode(found, upTo));
    }

    /// Until nothing is found any more, or a command is refused.
    private <T> void run(Supplier<List<T>> look, Function<T, Command<?>> command) {
        List<T> found;
        do {
            found = look.get();
            for (var each : found) {
                try {
                    commands.execute(command.apply(each), null);
                } catch (TarponException e) {
                    LOG.warnf("not expired what=%s reason=%s", each, e.detail());
                    return;
                }
            }
        } while (found.size() == AT_ONCE);
    }

    /// Afterwards nothing expires any more.
    @Override
    public void close() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
