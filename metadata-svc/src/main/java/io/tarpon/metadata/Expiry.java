package io.tarpon.metadata;

import io.tarpon.metadata.image.ExpireVersion;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jboss.logging.Logger;

/// Removes versions that failed long ago, so that their objects can be collected. One thread looks now and then; a
/// version that is retried meanwhile stays, because the command is decided on its life.
final class Expiry implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Expiry.class);
    private static final int AT_ONCE = 100;

    private final Queries queries;
    private final Commands commands;
    private final Readiness readiness;
    private final InstantSource clock;
    private final Duration after;
    private final Duration interval;
    private final Thread thread;

    /// @param after how long a failed version stays; zero for ever
    /// @param interval pause between two looks
    Expiry(
            Queries queries,
            Commands commands,
            Readiness readiness,
            InstantSource clock,
            Duration after,
            Duration interval) {
        this.queries = queries;
        this.commands = commands;
        this.readiness = readiness;
        this.clock = clock;
        this.after = after;
        this.interval = interval;
        this.thread = Thread.ofPlatform().daemon().name("metadata-expiry").unstarted(this::run);
    }

    void start() {
        if (after.isPositive()) {
            thread.start();
        }
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
                expire(clock.instant().minus(after));
            }
        } catch (RuntimeException | Error e) {
            LOG.errorf(e, "versions not expired");
        }
    }

    private void expire(Instant failedUpTo) {
        List<VersionName> found;
        do {
            found = queries.atLeast(0, reads -> reads.failed(failedUpTo, AT_ONCE))
                    .value();
            for (var version : found) {
                try {
                    commands.execute(new ExpireVersion(version.dataset(), version.version(), failedUpTo), null);
                } catch (TarponException e) {
                    LOG.warnf("version not expired version=%s reason=%s", version, e.detail());
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
