package io.tarpon.gateway.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.gateway.Documents;
import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.Preconditions;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The documents below `/v1/datasets`: JSON that is asked for anew each time, with an entity tag that saves sending it.
@Path("/v1/datasets")
@RunOnVirtualThread
public class DatasetResource {
    private static final Set<String> PAGE = Set.of("after", "limit");
    private static final int LIMIT = 1_000;
    private static final int MOST = 10_000;

    private final Documents documents;
    private final PublicUrl publicUrl;

    DatasetResource(Documents documents, PublicUrl publicUrl) {
        this.documents = documents;
        this.publicUrl = publicUrl;
    }

    @GET
    public Response datasets(@Context UriInfo uri, @Context HttpHeaders headers) {
        QueryParameters.allow(uri.getQueryParameters(), Set.of());
        return json(documents.datasets(), headers);
    }

    @GET
    @Path("/{dataset}/{version}")
    public Response version(
            @PathParam("dataset") String dataset,
            @PathParam("version") String version,
            @Context UriInfo uri,
            @Context HttpHeaders headers) {
        QueryParameters.allow(uri.getQueryParameters(), Set.of());
        return json(documents.version(name(dataset, DatasetName::new), number(version)), headers);
    }

    @GET
    @Path("/{dataset}/{version}/{split}/shards")
    public Response shards(
            @PathParam("dataset") String dataset,
            @PathParam("version") String version,
            @PathParam("split") String split,
            @Context UriInfo uri,
            @Context HttpHeaders headers,
            @Context HttpServerRequest request) {
        var query = uri.getQueryParameters();
        QueryParameters.allow(query, PAGE);
        var document = documents.shards(
                name(dataset, DatasetName::new),
                number(version),
                name(split, SplitName::new),
                QueryParameters.one(query, "after").map(after -> name(after, ShardName::parse)),
                QueryParameters.number(query, "limit", 1, MOST, LIMIT),
                publicUrl.base(request));
        return json(document, headers);
    }

    @GET
    @Path("/{dataset}/{version}/report")
    public Response report(
            @PathParam("dataset") String dataset,
            @PathParam("version") String version,
            @Context UriInfo uri,
            @Context HttpHeaders headers) {
        QueryParameters.allow(uri.getQueryParameters(), Set.of());
        var report = documents.report(name(dataset, DatasetName::new), number(version));
        StreamingOutput lines = out -> {
            try (var in = documents.open(report)) {
                in.transferTo(out);
            }
        };
        return answer(report.etag(), headers, lines, report.bytes(), "application/jsonl");
    }

    private static Response json(Object document, HttpHeaders headers) {
        var bytes = Json.bytes(document);
        var etag = "\"" + Digests.sha256Hex(bytes) + "\"";
        return answer(etag, headers, bytes, bytes.length, "application/json");
    }

    private static Response answer(String etag, HttpHeaders headers, Object body, long length, String type) {
        var conditions = new Preconditions(
                headers.getHeaderString("If-Match"), null, headers.getHeaderString("If-None-Match"), null, null);
        var response = Response.ok().header("ETag", etag).header("Cache-Control", "no-cache");
        return switch (conditions.evaluate(etag, Instant.EPOCH)) {
            case PROCEED ->
                response.entity(body)
                        .type(type)
                        .header("Content-Length", length)
                        .build();
            case NOT_MODIFIED -> response.status(Response.Status.NOT_MODIFIED).build();
            case FAILED -> throw new TarponException(ProblemType.PRECONDITION_FAILED, "the entity tag is " + etag);
        };
    }

    private static Optional<VersionId> number(String version) {
        return version.equals("latest") ? Optional.empty() : Optional.of(name(version, VersionId::parse));
    }

    private static <T> T name(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw TarponException.badParameter(Objects.requireNonNullElse(e.getMessage(), Percent.printable(text)));
        }
    }
}
