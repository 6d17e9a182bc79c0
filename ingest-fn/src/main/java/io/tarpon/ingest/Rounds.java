package io.tarpon.ingest;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Does something again and again on a thread of its own, with pauses between the end of one round and the next that
/// differ by up to a quarter, so that processes which started together do not go round together. A round that fails is
/// logged and not the last one.
final class Rounds implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Rounds.class);
    private static final double LEAST = 0.75;
    private static final double MOST = 1.25;

    private final String what;
    private final Shutdown shutdown;
    private final Shutdown.Work round;
    private final ScheduledExecutorService clockwork;

    /// @param what for the log and as the name of the thread, such as `marker-rounds`
    Rounds(String what, Shutdown shutdown, Shutdown.Work round) {
        this.what = what;
        this.shutdown = shutdown;
        this.round = round;
        this.clockwork = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(what).factory());
    }

    /// From now on a round begins about so long after the last one ended.
    void every(Duration pause) {
        long millis = Math.round(pause.toMillis() * ThreadLocalRandom.current().nextDouble(LEAST, MOST));
        var _ = clockwork.schedule(() -> roundAndNext(pause), millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        clockwork.shutdownNow();
    }

    private void roundAndNext(Duration pause) {
        try {
            shutdown.run(round);
        } catch (AbandonedException e) {
            LOG.debugf(e, "round ended early what=%s", what);
        } catch (IOException | TarponException e) {
            LOG.warnf("round not finished what=%s reason=%s", what, e.getMessage());
        } catch (RuntimeException e) {
            LOG.errorf(e, "round broke what=%s", what);
        }
        if (!shutdown.isBegun() && !clockwork.isShutdown()) {
            every(pause);
        }
    }
}
