package io.tarpon.gateway.api;

import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;

/// Errors as answers: `application/problem+json`, never cached.
final class Problems {
    private static final Logger LOG = Logger.getLogger(Problems.class);

    /// Those who were turned away together do not come back together.
    private static final int MOST_SECONDS = 5;

    private Problems() {}

    /// Answers and says with which status. Headers set before stay.
    static int answer(HttpServerRequest request, Throwable thrown) {
        var cause = unwrapped(thrown);
        var problem = of(cause);
        var response = request.response();
        response.setStatusCode(problem.status());
        response.putHeader("Content-Type", Problem.CONTENT_TYPE).putHeader("Cache-Control", "no-store");
        retryAfter(cause, problem).ifPresent(seconds -> response.putHeader("Retry-After", seconds));
        var body = Buffer.buffer(Json.bytes(problem));
        response.putHeader("Content-Length", Integer.toString(body.length()));
        var _ = HttpMethod.HEAD.equals(request.method()) ? response.end() : response.end(body);
        return problem.status();
    }

    /// The same, and ends the connection: nothing more is read as a request.
    static int answerLast(HttpServerRequest request, Throwable thrown) {
        var client = ClientConnection.of(((ConnectionBase) request.connection()).channel());
        client.refuseMore();
        request.response().putHeader("Connection", "close");
        var status = answer(request, thrown);
        client.endGently();
        return status;
    }

    /// The problem that says what was thrown; what nobody expected is logged and told without detail.
    static Problem of(Throwable thrown) {
        var cause = unwrapped(thrown);
        if (cause instanceof TarponException e) {
            return e.problem();
        }
        LOG.error("request failed unexpectedly", cause);
        return Problem.of(ProblemType.INTERNAL, "the gateway failed; its log says why");
    }

    private static Throwable unwrapped(Throwable thrown) {
        var cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static Optional<String> retryAfter(Throwable cause, Problem problem) {
        return cause instanceof TarponException e && e.retryAfter().isPresent()
                ? e.retryAfter().map(after -> Long.toString(after.toSeconds()))
                : retryAfter(problem);
    }

    /// The value of Retry-After, for the problems that have one: those with status 503.
    static Optional<String> retryAfter(Problem problem) {
        return switch (problem.problemType()) {
            case OVERLOADED ->
                Optional.of(Integer.toString(ThreadLocalRandom.current().nextInt(1, MOST_SECONDS + 1)));
            case NOT_READY, STORAGE_UNAVAILABLE -> Optional.of("1");
            default -> Optional.empty();
        };
    }
}
