package io.tarpon.ingest.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.ingest.DeadLetterBox;
import io.tarpon.ingest.LetterPlace;
import io.tarpon.ingest.LetterRange;
import io.tarpon.service.WriteAccess;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import io.tarpon.wire.letter.LettersPutBack;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// `/v1/dead-letters`: messages that a function gave up on. To look changes nothing and needs no token.
@Path("/v1/dead-letters")
@Produces(MediaType.APPLICATION_JSON)
public class DeadLetterResource {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    /// More than there are partitions.
    private static final int MAX_PLACES = 1_000;

    private static final Set<String> LIST = Set.of("topic", "limit", "before");
    private static final Set<String> RETRY = Set.of("topic", "limit", "from");

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
        var query = query(uri, LIST);
        return letters.list(
                topics(query), places(query.getFirst("before"), LetterPlace::parse), limit(query, DEFAULT_LIMIT));
    }

    /// Puts back all that never were, so many in one request; the answer says how to go on.
    @POST
    @Path("/retry")
    @RunOnVirtualThread
    public LettersPutBack retryAll(@Context HttpHeaders headers, @Context UriInfo uri) {
        access.check(headers.getHeaderString(HttpHeaders.AUTHORIZATION));
        var query = query(uri, RETRY);
        return letters.retryAll(
                topics(query), places(query.getFirst("from"), LetterRange::parse), limit(query, MAX_LIMIT));
    }

    @GET
    @Path("/{topic}/{partition}/{offset}")
    @RunOnVirtualThread
    public DeadLetter show(
            @PathParam("topic") String topic,
            @PathParam("partition") String partition,
            @PathParam("offset") String offset) {
        var place = place(topic, partition, offset);
        return letters.read(place).orElseThrow(() -> gone(place.toString()));
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
        var place = place(topic, partition, offset);
        return letters.retry(place).orElseThrow(() -> gone(place.toString()));
    }

    private static MultivaluedMap<String, String> query(UriInfo uri, Set<String> known) {
        uri.getQueryParameters().forEach((name, values) -> {
            if (!known.contains(name) || values.size() != 1) {
                throw TarponException.badParameter(
                        "query parameter '" + name + "' is unknown or repeated; known are " + new TreeSet<>(known));
            }
        });
        return uri.getQueryParameters();
    }

    private static List<String> topics(MultivaluedMap<String, String> query) {
        var topic = query.getFirst("topic");
        if (topic == null) {
            return DeadLetterBox.TOPICS;
        }
        if (!DeadLetterBox.TOPICS.contains(topic)) {
            throw TarponException.badParameter("topic '" + topic + "' is not one of " + DeadLetterBox.TOPICS);
        }
        return List.of(topic);
    }

    private static int limit(MultivaluedMap<String, String> query, int ifNone) {
        var text = query.getFirst("limit");
        if (text == null) {
            return ifNone;
        }
        long limit = DECIMAL.matcher(text).matches() ? Long.parseLong(text) : 0;
        if (limit < 1 || limit > MAX_LIMIT) {
            throw TarponException.badParameter("limit '" + text + "' is not a number from 1 to " + MAX_LIMIT);
        }
        return (int) limit;
    }

    /// As an answer's `next` has them: with a comma between them.
    private static <T> List<T> places(@Nullable String text, Function<String, Optional<T>> parse) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(",", MAX_PLACES))
                        .map(place -> parse.apply(place)
                                .orElseThrow(() -> TarponException.badParameter(
                                        "'" + place + "' is no place of dead letters; ask with an answer's 'next'")))
                        .toList();
    }

    private static LetterPlace place(String topic, String partition, String offset) {
        var id = topic + "/" + partition + "/" + offset;
        if (!DeadLetterBox.TOPICS.contains(topic)) {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    "there is no dead letter " + id + ": letters are in " + DeadLetterBox.TOPICS);
        }
        return LetterPlace.parse(id)
                .orElseThrow(() ->
                        TarponException.badParameter("'" + id + "' is not topic/partition/offset of a dead letter"));
    }

    private static TarponException gone(String id) {
        return new TarponException(
                ProblemType.NOT_FOUND,
                "there is no dead letter " + id + ", or no longer; GET /v1/dead-letters shows those that are there");
    }
}
