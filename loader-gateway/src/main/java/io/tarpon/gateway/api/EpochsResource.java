package io.tarpon.gateway.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.gateway.epoch.OpenEpochs;
import io.tarpon.wire.json.Json;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;

/// The epoch streams that are open, for `tarpon epochs`.
@Path("/v1/epochs")
@RunOnVirtualThread
public class EpochsResource {
    private final OpenEpochs epochs;

    EpochsResource(OpenEpochs epochs) {
        this.epochs = epochs;
    }

    /// As it is now, so never kept.
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response epochs(@Context UriInfo uri) {
        QueryParameters.allow(uri.getQueryParameters(), Set.of());
        var document = Json.bytes(epochs.document());
        return Response.ok(document, MediaType.APPLICATION_JSON)
                .header("Cache-Control", "no-store")
                .header("Content-Length", document.length)
                .build();
    }
}
