package io.tarpon.chaos;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/// Requests to services that come and go: asked again until there is an answer.
final class Insistence {
    static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(300);

    private Insistence() {}

    /// A request that may be sent any number of times.
    interface Request<T> {
        T answer() throws IOException, InterruptedException;
    }

    /// Fails where the service refuses for good, or does not answer for three minutes.
    static <T> T on(String what, Request<T> request) throws InterruptedException {
        var deadline = Instant.now().plus(PATIENCE);
        while (true) {
            String why;
            try {
                return request.answer();
            } catch (TarponException e) {
                if (!e.type().retryable() && e.type() != ProblemType.INTERNAL) {
                    throw CommandFailure.failed(what + " is refused: " + e.detail(), "");
                }
                why = e.detail();
            } catch (CommandFailure | IOException e) {
                why = String.valueOf(e.getMessage());
            }
            if (Instant.now().isAfter(deadline)) {
                throw CommandFailure.failed(what + " has had no answer for " + PATIENCE.toSeconds() + " s: " + why, "");
            }
            Thread.sleep(PAUSE);
        }
    }
}
