package io.tarpon.block.api;

import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;

/// Every error answer of the node: `application/problem+json`.
final class Problems {
    private static final Logger LOG = Logger.getLogger(Problems.class);

    private Problems() {}

    /// Answers what went wrong, in full. Only before anything else of an answer was sent.
    static void answer(RoutingContext context, Throwable failure) {
        var problem = problem(context, failure);
        var body = Buffer.buffer(Json.bytes(problem));
        var response = context.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.CONTENT_TYPE)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
        if (problem.status() == 503) {
            response.putHeader(HttpHeaders.RETRY_AFTER, "1");
        }
        if (context.request().method().equals(HttpMethod.HEAD)) {
            response.end();
        } else {
            response.end(body);
        }
    }

    /// The exception inside the wrappers that futures put around it.
    static Throwable cause(Throwable failure) {
        var cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static Problem problem(RoutingContext context, Throwable failure) {
        var cause = cause(failure);
        if (cause instanceof TarponException known) {
            return known.problem();
        }
        if (cause instanceof IOException) {
            LOG.errorf(cause, "block not readable path=%s", context.request().path());
            return Problem.of(
                    ProblemType.STORAGE_UNAVAILABLE,
                    "this node cannot read the block now; ask another: " + cause.getMessage());
        }
        LOG.errorf(cause, "request failed path=%s", context.request().path());
        return Problem.of(ProblemType.INTERNAL, "this is a fault of the node; its log says more");
    }
}
