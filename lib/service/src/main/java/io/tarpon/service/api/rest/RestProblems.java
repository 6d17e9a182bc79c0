package io.tarpon.service.api.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.tarpon.service.Problems;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// Every error of a service with JAX-RS resources as `application/problem+json`, the framework's own included. Quarkus
/// finds it in the module's index, and makes it with the service's own [KnownPaths].
public final class RestProblems {
    private static final int MAX_PATH_CHARS = 200;

    private final KnownPaths known;

    RestProblems(KnownPaths known) {
        this.known = known;
    }

    @ServerExceptionMapper
    public Response refused(TarponException refused) {
        return answer(refused).build();
    }

    /// What Quarkus REST refuses before a method of ours is called.
    @ServerExceptionMapper
    public Response framework(WebApplicationException refused, UriInfo uri) {
        if (refused.getCause() instanceof JsonProcessingException json) {
            return json(json);
        }
        var answer = answer(named(refused, uri));
        if (refused.getResponse().getStatus() == 405 && !known.methods().isEmpty()) {
            answer.header(HttpHeaders.ALLOW, String.join(", ", known.methods()));
        }
        return answer.build();
    }

    @ServerExceptionMapper
    public Response json(JsonProcessingException refused) {
        return answer(TarponException.badParameter(BodyFlaw.of(refused))).build();
    }

    /// Named for itself, because Quarkus REST has a mapper of its own for it, which answers without a body.
    @ServerExceptionMapper
    public Response mismatch(MismatchedInputException refused) {
        return json(refused);
    }

    @ServerExceptionMapper
    public Response unexpected(Exception unexpected) {
        return answer(unexpected).build();
    }

    private Exception named(WebApplicationException refused, UriInfo uri) {
        var status = refused.getResponse().getStatus();
        var path = "path '" + shown(uri) + "'";
        return switch (status) {
            case 404 -> new TarponException(ProblemType.NOT_FOUND, "there is no " + path + " here; " + known.text());
            case 405 ->
                new TarponException(
                        ProblemType.METHOD_NOT_ALLOWED, path + " does not take this method; " + known.text());
            case 413 ->
                new TarponException(ProblemType.PAYLOAD_TOO_LARGE, "the body is larger than this service takes");
            case 415 -> TarponException.badParameter("Content-Type must be application/json");
            case 406 -> TarponException.badParameter("Accept must allow application/json");
            default ->
                status < 500
                        ? TarponException.badParameter("the request cannot be answered: " + refused.getMessage())
                        : refused;
        };
    }

    private static String shown(UriInfo uri) {
        var path = uri.getPath();
        return (path.length() > MAX_PATH_CHARS ? path.substring(0, MAX_PATH_CHARS) + "…" : path)
                .replaceAll("\\p{Cntrl}", "?");
    }

    /// With its length, so that a `HEAD` has the headers that a `GET` has.
    private static Response.ResponseBuilder answer(Exception thrown) {
        var problem = Problems.of(thrown);
        var body = Json.bytes(problem);
        var answer = Response.status(problem.status())
                .type(Problem.CONTENT_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.CONTENT_LENGTH, body.length)
                .entity(body);
        Problems.retryAfterSeconds(thrown).ifPresent(seconds -> answer.header(HttpHeaders.RETRY_AFTER, seconds));
        return answer;
    }
}
