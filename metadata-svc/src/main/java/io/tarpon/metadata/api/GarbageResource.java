package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Garbage;
import io.tarpon.wire.metadata.GarbageReport;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/// What removed versions left behind.
@Path("/v1/gc")
@Tag(name = "garbage")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
public class GarbageResource {
    private final Garbage garbage;

    GarbageResource(Garbage garbage) {
        this.garbage = garbage;
    }

    @POST
    @Operation(
            operationId = "collectGarbage",
            summary = "Deletes what only removed versions used, or counts it; may take minutes, 409 while another runs")
    public GarbageReport collect(
            @RestQuery("dry-run") @Nullable String dryRun, @RestHeader("traceparent") @Nullable String traceparent) {
        return garbage.collect(Parameters.flag("dry-run", dryRun), Bodies.trace(traceparent));
    }
}
