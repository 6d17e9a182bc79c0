package io.tarpon.ingest;

import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;

/// Tries again what failed because something else was away, with growing pauses, for a bounded time. Everything tried
/// this way is idempotent. Nothing is tried once this process is to end: what fails then says nothing about the upload.
final class Patience {
    private static final Logger LOG = Logger.getLogger(Patience.class);

    private final Duration total;
    private final Duration firstPause;
    private final Duration longestPause;
    private final Shutdown shutdown;

    Patience(Duration total, Duration firstPause, Duration longestPause) {
        this(total, firstPause, longestPause, new Shutdown());
    }

    /// @param total after which the last failure is thrown; pauses double from `firstPause` to `longestPause`
    Patience(Duration total, Duration firstPause, Duration longestPause, Shutdown shutdown) {
        this.total = total;
        this.firstPause = firstPause;
        this.longestPause = longestPause;
        this.shutdown = shutdown;
    }

    interface Attempt<T, E extends Exception> {
        T make() throws IOException, E;
    }

    /// @throws IOException the last failure, once patience is at its end; at once where trying again cannot help
    /// @throws TarponException likewise
    /// @throws HandedBackException when this process is to end
    <T, E extends Exception> T keepTrying(String what, Attempt<T, E> attempt) throws IOException, E {
        long deadline = System.nanoTime() + total.toNanos();
        for (var pause = firstPause; ; pause = shorter(pause.multipliedBy(2), longestPause)) {
            shutdown.check();
            try {
                return attempt.make();
            } catch (IOException | TarponException e) {
                if (shutdown.isBegun()) {
                    throw new HandedBackException(e);
                }
                if (!mayPass(e) || System.nanoTime() + pause.toNanos() > deadline) {
                    throw e;
                }
                LOG.warnf("attempt failed what=%s again_in_ms=%d reason=%s", what, pause.toMillis(), e.getMessage());
            }
            shutdown.pause(pause);
        }
    }

    /// Whether the same attempt may succeed later: not where a request was refused for what it says, or where only a
    /// person can help.
    private static boolean mayPass(Exception e) {
        return switch (e) {
            case SpoolException _ -> false;
            case SourceUnreadableException _ -> false;
            case OvertakenException _ -> false;
            case TarponException refusal -> !isRefusal(refusal);
            default -> true;
        };
    }

    /// Whether metadata-svc understood the request and will not do it. A wrong token is not the request's fault. That
    /// it has no room does not pass while everything behind the request waits for it: a person makes room, or asks
    /// for less.
    static boolean isRefusal(TarponException e) {
        return switch (e.type()) {
            case INSUFFICIENT_STORAGE -> true;
            case UNAUTHORIZED, FORBIDDEN -> false;
            case null, default -> e.type().status() / 100 == 4 && !e.type().retryable();
        };
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
