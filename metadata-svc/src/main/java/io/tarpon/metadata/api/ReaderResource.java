package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Readers;
import io.tarpon.wire.metadata.ReaderReport;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/// Gateways and what they have open. Not through the log: it lapses.
@Path("/v1/readers")
@Tag(name = "garbage")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ReaderResource {
    private final Readers readers;

    ReaderResource(Readers readers) {
        this.readers = readers;
    }

    @PUT
    @Path("/{reader}")
    @Operation(operationId = "reading", summary = "A gateway names the versions that it has open reads on")
    public void report(@RestPath String reader, ReaderReport report) {
        readers.report(reader, Bodies.require(report));
    }
}
