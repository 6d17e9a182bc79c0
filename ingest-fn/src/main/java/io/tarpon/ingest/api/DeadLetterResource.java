package io.tarpon.ingest.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.ingest.DeadLetterBox;
import io.tarpon.service.WriteAccess;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `/v1/dead-letters`: messages that a function gave up on. To look changes nothing and needs no token.
@Path("/v1/dead-letters")
@Produces(MediaType.APPLICATION_JSON)
public class DeadLetterResource {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final Set<String> PARAMETERS = Set.of("topic", "limit");

    /// Canonical, and inside a long.
    private static final Pattern DECIMAL = Pattern.compile("0|[1-9]\\d{0,17}");

    private final DeadLetterBox letters;
    private final WriteAccess access;

    DeadLetterResource(DeadLetterBox letters, WriteAccess access) {
        this.letters = letters;
        this.access = access;
    }

    @GET
    @RunOnVirtualThread
    public DeadLetterList list(@Context UriInfo uri) {
        uri.getQueryParameters().forEach((name, values) -> {
            if (!PARAMETERS.contains(name) || values.size() != 1) {
                throw TarponException.badParameter(
                        "query parameter '" + name + "' is unknown or repeated; topic and limit are known");
            }
        });
        var topic = Optional.ofNullable(uri.getQueryParameters().getFirst("topic"));
        if (topic.isPresent() && !DeadLetterBox.TOPICS.contains(topic.get())) {
            throw TarponException.badParameter("topic '" + topic.get() + "' is not one of " + DeadLetterBox.TOPICS);
        }
        return letters.list(topic, limit(uri.getQueryParameters().getFirst("limit")));
    }

    @GET
    @Path("/{topic}/{partition}/{offset}")
    @RunOnVirtualThread
    public DeadLetter show(
            @PathParam("topic") String topic,
            @PathParam("partition") String partition,
            @PathParam("offset") String offset) {
        var id = id(topic, partition, offset);
        return letters.read(topic, partition(partition, id), offset(offset, id)).orElseThrow(() -> gone(id));
    }

    @POST
    @Path("/{topic}/{partition}/{offset}/retry")
    @RunOnVirtualThread
    public DeadLetter retry(
            @Context HttpHeaders headers,
            @PathParam("topic") String topic,
            @PathParam("partition") String partition,
            @PathParam("offset") String offset) {
        access.check(headers.getHeaderString(HttpHeaders.AUTHORIZATION));
        var id = id(topic, partition, offset);
        return letters.retry(topic, partition(partition, id), offset(offset, id))
                .orElseThrow(() -> gone(id));
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LIMIT;
        }
        long limit = DECIMAL.matcher(text).matches() ? Long.parseLong(text) : 0;
        if (limit < 1 || limit > MAX_LIMIT) {
            throw TarponException.badParameter("limit '" + text + "' is not a number from 1 to " + MAX_LIMIT);
        }
        return (int) limit;
    }

    private static String id(String topic, String partition, String offset) {
        var id = topic + "/" + partition + "/" + offset;
        if (!DeadLetterBox.TOPICS.contains(topic)) {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    "there is no dead letter " + id + ": letters are in " + DeadLetterBox.TOPICS);
        }
        return id;
    }

    private static int partition(String text, String id) {
        long partition = offset(text, id);
        if (partition > Integer.MAX_VALUE) {
            throw gone(id);
        }
        return (int) partition;
    }

    private static long offset(String text, String id) {
        if (!DECIMAL.matcher(text).matches()) {
            throw TarponException.badParameter("'" + id + "' is not topic/partition/offset of a dead letter");
        }
        return Long.parseLong(text);
    }

    private static TarponException gone(String id) {
        return new TarponException(
                ProblemType.NOT_FOUND,
                "there is no dead letter " + id + ", or no longer; GET /v1/dead-letters shows those that are there");
    }
}
