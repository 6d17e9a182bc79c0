package io.tarpon.service.api;

import io.tarpon.service.Problems;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/// A failure as the whole answer to a request: `application/problem+json`, never cached.
public final class ProblemAnswer {
    private ProblemAnswer() {}

    /// Answers, unless the answer was given or nobody is there to take it, and says with which status. Headers set
    /// before stay. Only before the first byte of another answer.
    public static int send(HttpServerRequest request, Throwable thrown) {
        var problem = Problems.of(thrown);
        var response = request.response();
        if (!response.ended() && !response.closed()) {
            var body = begin(request, problem, thrown);
            var _ = isHead(request) ? response.end() : response.end(body);
        }
        return problem.status();
    }

    /// The same, and the connection ends with the answer: what follows on it is never taken for a request. So the
    /// answer is written but not ended, because its end would hand on the next request, if that was read already.
    public static int sendLast(HttpServerRequest request, Throwable thrown) {
        var problem = Problems.of(thrown);
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        var body = begin(request, problem, thrown);
        var _ = request.response().write(isHead(request) ? Buffer.buffer() : body);
        // At once, and not when that is sent: more of what came may end the connection without it. Closing sends first.
        var _ = request.connection().close();
        return problem.status();
    }

    private static Buffer begin(HttpServerRequest request, Problem problem, Throwable thrown) {
        var body = Buffer.buffer(Json.bytes(problem));
        var response = request.response()
                .setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.CONTENT_TYPE)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
        Problems.retryAfterSeconds(thrown)
                .ifPresent(seconds -> response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
        return body;
    }

    private static boolean isHead(HttpServerRequest request) {
        return HttpMethod.HEAD.equals(request.method());
    }
}
