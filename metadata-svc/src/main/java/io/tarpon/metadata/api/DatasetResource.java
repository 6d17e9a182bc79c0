package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Commands;
import io.tarpon.metadata.Queries;
import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RemoveDataset;
import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// Datasets and their specifications.
@Path("/v1/datasets")
@Tag(name = "datasets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class DatasetResource {
    private final Commands commands;
    private final Queries queries;

    DatasetResource(Commands commands, Queries queries) {
        this.commands = commands;
        this.queries = queries;
    }

    @GET
    @Operation(operationId = "datasets", summary = "Every dataset with its versions, by name")
    public RestResponse<DatasetList> datasets(@RestQuery @Nullable String revision) {
        return Answers.of(queries.atLeast(Parameters.revision(revision), Reads::datasets));
    }

    @GET
    @Path("/{dataset}")
    @Operation(operationId = "dataset", summary = "One dataset with its specification and versions, oldest first")
    public RestResponse<DatasetRecord> dataset(@RestPath String dataset, @RestQuery @Nullable String revision) {
        var name = Parameters.dataset(dataset);
        return Answers.of(queries.atLeast(Parameters.revision(revision), reads -> reads.dataset(name)));
    }

    @PUT
    @Path("/{dataset}")
    @Operation(operationId = "register", summary = "Registers a dataset's specification, or replaces it")
    public RestResponse<DatasetRecord> register(
            @RestPath String dataset, DatasetSpec spec, @RestHeader("traceparent") @Nullable String traceparent) {
        var command = new RegisterDataset(Parameters.dataset(dataset), Bodies.require(spec));
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }

    @DELETE
    @Path("/{dataset}")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            operationId = "removeDataset",
            summary = "Removes every version of a dataset and its specification; 409 while one is in work")
    public RestResponse<DatasetRecord> remove(
            @RestPath String dataset, @RestHeader("traceparent") @Nullable String traceparent) {
        var command = new RemoveDataset(Parameters.dataset(dataset));
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }
}
