package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Queries;
import io.tarpon.wire.metadata.VersionRecord;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// What became of requests to begin a version. An id may hold any character, slashes included.
@Path("/v1/requests")
@Tag(name = "versions")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class RequestResource {
    private final Queries queries;

    RequestResource(Queries queries) {
        this.queries = queries;
    }

    @GET
    @Path("/{requestId: .+}")
    @Operation(operationId = "versionOfRequest", summary = "The version begun for a request; 404 until it is")
    public RestResponse<VersionRecord> version(
            @RestPath String requestId, @RestQuery @Nullable String revision, @RestQuery @Nullable String read) {
        return Answers.of(queries.atLeast(
                Parameters.wanted(queries, revision, read), reads -> reads.versionOfRequest(requestId)));
    }
}
