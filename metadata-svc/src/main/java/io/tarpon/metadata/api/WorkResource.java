package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Progress;
import io.tarpon.wire.metadata.VersionsInWork;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// Versions in work, whatever their dataset.
@Path("/v1/versions")
@Tag(name = "versions")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class WorkResource {
    private final Progress progress;
    private final Lists lists;

    WorkResource(Progress progress, Lists lists) {
        this.progress = progress;
        this.lists = lists;
    }

    @GET
    @Operation(
            operationId = "versionsInWork",
            summary = "Versions in `planning` or `building` and when each came on last; `after` is exclusive")
    public RestResponse<VersionsInWork> versions(
            @RestQuery @Nullable String state,
            @RestQuery @Nullable String after,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read,
            @Context RoutingContext context) {
        var of = Parameters.stateOfWork(state);
        var from = Parameters.afterVersion(after);
        var most = Parameters.limit(limit);
        return lists.answer(context, revision, read, wanted -> progress.page(wanted, of, from, most));
    }
}
