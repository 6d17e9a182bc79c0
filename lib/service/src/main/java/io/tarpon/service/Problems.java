package io.tarpon.service;

import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.http.HttpClosedException;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;

/// What a failure is to whoever asked: a problem of contracts section 4, and when asking again makes sense.
public final class Problems {
    private static final Logger LOG = Logger.getLogger(Problems.class);

    /// Those who were turned away together do not come back together.
    private static final int MOST_OVERLOADED_SECONDS = 5;

    private Problems() {}

    /// The problem that says what was thrown. What nobody expected is logged and told without detail: it may hold what
    /// is none of the asker's business.
    public static Problem of(Throwable thrown) {
        if (cause(thrown) instanceof TarponException known) {
            if (known.type() == ProblemType.INTERNAL) {
                LOG.errorf(known, "request failed reason=%s", known.detail());
            }
            return known.problem();
        }
        if (isGone(thrown)) {
            LOG.debugf("connection closed before the answer was sent reason=%s", thrown.getMessage());
        } else {
            LOG.error("request failed", thrown);
        }
        return Problem.of(ProblemType.INTERNAL, "this should not have happened; the log of the service says more");
    }

    /// Whole seconds for `Retry-After`, empty where asking again is no answer.
    public static OptionalLong retryAfterSeconds(Throwable thrown) {
        if (!(cause(thrown) instanceof TarponException known)) {
            return OptionalLong.empty();
        }
        if (known.retryAfter().isPresent()) {
            return OptionalLong.of(Math.max(1, known.retryAfter().get().toSeconds()));
        }
        return switch (known.type()) {
            case OVERLOADED -> OptionalLong.of(ThreadLocalRandom.current().nextInt(1, MOST_OVERLOADED_SECONDS + 1));
            case NOT_READY, STORAGE_UNAVAILABLE -> OptionalLong.of(1);
            default -> OptionalLong.empty();
        };
    }

    /// Whether it says only that nobody is there any more to take the answer.
    private static boolean isGone(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof HttpClosedException) {
                return true;
            }
        }
        return false;
    }

    /// The exception inside the wrappers that futures put around it.
    public static Throwable cause(Throwable thrown) {
        var cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
