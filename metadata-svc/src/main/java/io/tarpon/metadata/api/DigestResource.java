package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Comparison;
import io.tarpon.metadata.Queries;
import io.tarpon.wire.metadata.ReplicaDigest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// What tells replicas that have come apart.
@Path("/v1/digest")
@Tag(name = "replicas")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class DigestResource {
    private final Comparison comparison;
    private final Queries queries;

    DigestResource(Comparison comparison, Queries queries) {
        this.comparison = comparison;
        this.queries = queries;
    }

    @GET
    @Operation(
            operationId = "digest",
            summary = "A digest of all this replica knows, and the revision it is of; one at a time")
    public RestResponse<ReplicaDigest> digest(@RestQuery @Nullable String revision, @RestQuery @Nullable String read) {
        return Answers.of(comparison.digest(Parameters.wanted(queries, revision, read)));
    }
}
