package io.tarpon.ingest.api;

import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// Every error of this service as `application/problem+json` (contracts section 4).
public class ProblemAnswers {
    private static final Logger LOG = Logger.getLogger(ProblemAnswers.class);
    private static final int RETRY_AFTER_SECONDS = 2;

    @ServerExceptionMapper
    public Response tarpon(TarponException e) {
        return answer(e.problem());
    }

    /// What the HTTP layer itself refuses.
    @ServerExceptionMapper
    public Response http(WebApplicationException e) {
        var type = switch (e.getResponse().getStatus()) {
            case 404 -> ProblemType.NOT_FOUND;
            case 405 -> ProblemType.METHOD_NOT_ALLOWED;
            case 413 -> ProblemType.PAYLOAD_TOO_LARGE;
            default -> e.getResponse().getStatus() / 100 == 4 ? ProblemType.BAD_PARAMETER : ProblemType.INTERNAL;
        };
        return answer(Problem.of(
                type, "this service answers POST / with a CloudEvent, /v1/dead-letters, /q/health and /q/metrics"));
    }

    @ServerExceptionMapper
    public Response bug(RuntimeException e) {
        LOG.error("request failed", e);
        return answer(Problem.of(ProblemType.INTERNAL, "the request failed in a way we did not foresee; see the log"));
    }

    private static Response answer(Problem problem) {
        var response = Response.status(problem.status())
                .type(Problem.CONTENT_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .entity(problem);
        if (problem.status() == ProblemType.NOT_READY.status()) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.build();
    }
}
