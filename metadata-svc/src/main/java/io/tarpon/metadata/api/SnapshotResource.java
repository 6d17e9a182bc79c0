package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Snapshotting;
import io.tarpon.wire.metadata.SnapshotReport;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/// What the log has come to, in the object store.
@Path("/v1/snapshots")
@Tag(name = "snapshots")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.WILDCARD)
@RunOnVirtualThread
public class SnapshotResource {
    private final Snapshotting snapshotting;

    SnapshotResource(Snapshotting snapshotting) {
        this.snapshotting = snapshotting;
    }

    @POST
    @Operation(
            operationId = "takeSnapshot",
            summary = "Writes all that is known to the object store, and cuts the log behind the snapshot before; may"
                    + " take minutes, 409 while another runs")
    public SnapshotReport take() {
        return snapshotting.take();
    }
}
