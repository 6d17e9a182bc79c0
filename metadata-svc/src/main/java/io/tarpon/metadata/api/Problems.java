package io.tarpon.metadata.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/// Every error as `application/problem+json`, the framework's own included.
public final class Problems {
    private static final Logger LOG = Logger.getLogger(Problems.class);
    private static final int RETRY_AFTER_SECONDS = 1;
    private static final int UNAVAILABLE = 503;

    @ServerExceptionMapper
    public Response refused(TarponException refused) {
        if (refused.type() == ProblemType.INTERNAL) {
            LOG.errorf(refused, "request failed reason=%s", refused.detail());
        }
        return answer(refused.problem()).build();
    }

    /// What Quarkus REST refuses before a method of ours is called.
    @ServerExceptionMapper
    public Response framework(WebApplicationException refused) {
        var status = refused.getResponse().getStatus();
        if (refused.getCause() instanceof JsonProcessingException json) {
            return json(json);
        }
        var answer = answer(
                switch (status) {
                    case 404 -> Problem.of(ProblemType.NOT_FOUND, "there is no such path; see /q/openapi");
                    case 405 -> Problem.of(ProblemType.METHOD_NOT_ALLOWED, "this path does not take this method");
                    case 413 -> Problem.of(ProblemType.PAYLOAD_TOO_LARGE, "the body is larger than this service takes");
                    case 415 -> Problem.of(ProblemType.BAD_PARAMETER, "Content-Type must be application/json");
                    case 406 -> Problem.of(ProblemType.BAD_PARAMETER, "Accept must allow application/json");
                    default ->
                        Problem.of(
                                status < 500 ? ProblemType.BAD_PARAMETER : ProblemType.INTERNAL,
                                "the request cannot be answered: " + refused.getMessage());
                });
        var allow = refused.getResponse().getHeaderString(HttpHeaders.ALLOW);
        return (allow == null ? answer : answer.header(HttpHeaders.ALLOW, allow)).build();
    }

    @ServerExceptionMapper
    public Response json(JsonProcessingException refused) {
        return answer(Problem.of(ProblemType.BAD_PARAMETER, detail(refused))).build();
    }

    /// Named for itself, because Quarkus REST has a mapper of its own for it, which answers without a body.
    @ServerExceptionMapper
    public Response mismatch(MismatchedInputException refused) {
        return json(refused);
    }

    @ServerExceptionMapper
    public Response unexpected(RuntimeException unexpected) {
        LOG.errorf(unexpected, "request failed");
        return answer(Problem.of(
                        ProblemType.INTERNAL, "this should not have happened; the log of the service has more"))
                .build();
    }

    private static Response.ResponseBuilder answer(Problem problem) {
        var answer = Response.status(problem.status())
                .type(Problem.CONTENT_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .entity(Json.text(problem));
        return problem.status() == UNAVAILABLE ? answer.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS) : answer;
    }

    /// `splits[0].shards[3].planSha256: …`, with the reason of our own constructor where it has one.
    private static String detail(JsonProcessingException refused) {
        var path = refused instanceof JsonMappingException mapping
                ? mapping.getPath().stream()
                        .map(step ->
                                step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                        .collect(Collectors.joining())
                        .replaceFirst("^\\.", "")
                : "";
        var reason = refused.getCause() instanceof IllegalArgumentException own
                ? String.valueOf(own.getMessage())
                : plain(refused.getOriginalMessage());
        return "body" + (path.isEmpty() ? "" : " " + path) + ": " + Parameters.cut(reason);
    }

    /// Jackson words what a constructor misses for whoever wrote that; this is for whoever wrote the request.
    private static String plain(String message) {
        return message.replaceFirst("^Missing creator property '([^']*)'.*$", "$1 is missing")
                .replaceFirst("^Invalid `null` value encountered for property \"([^\"]*)\".*$", "$1 must not be null")
                .replaceFirst("^Unrecognized field \"([^\"]*)\".*$", "$1 is unknown");
    }
}
