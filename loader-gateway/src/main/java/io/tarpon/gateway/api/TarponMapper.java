package io.tarpon.gateway.api;

import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/// Whatever a document request fails with, as `application/problem+json`.
@Provider
public class TarponMapper implements ExceptionMapper<Throwable> {
    @Override
    public Response toResponse(Throwable thrown) {
        var problem = Problems.of(known(thrown));
        var body = Json.bytes(problem);
        var response = Response.status(problem.status())
                .type(Problem.CONTENT_TYPE)
                .header("Cache-Control", "no-store")
                .header("Content-Length", body.length)
                .entity(body);
        Problems.retryAfter(problem).ifPresent(seconds -> response.header("Retry-After", seconds));
        if (problem.problemType() == ProblemType.METHOD_NOT_ALLOWED) {
            response.header("Allow", "GET, HEAD");
        }
        return response.build();
    }

    /// What JAX-RS itself found, in our words.
    private static Throwable known(Throwable thrown) {
        if (!(thrown instanceof WebApplicationException e)) {
            return thrown;
        }
        return switch (e.getResponse().getStatus()) {
            case 404 ->
                new TarponException(
                        ProblemType.NOT_FOUND, "there is nothing here; datasets are listed at /v1/datasets");
            case 405 -> new TarponException(ProblemType.METHOD_NOT_ALLOWED, "documents are read with GET or HEAD");
            case 413 -> new TarponException(ProblemType.PAYLOAD_TOO_LARGE, "the body is too large");
            default -> e.getResponse().getStatus() < 500 ? TarponException.badParameter(e.getMessage() + "") : thrown;
        };
    }
}
