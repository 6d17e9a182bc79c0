package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Commands;
import io.tarpon.metadata.Lookups;
import io.tarpon.metadata.Queries;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RemoveDataset;
import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
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
    private final Lookups lookups;
    private final Lists lists;

    DatasetResource(Commands commands, Queries queries, Lookups lookups, Lists lists) {
        this.commands = commands;
        this.queries = queries;
        this.lookups = lookups;
        this.lists = lists;
    }

    @GET
    @Operation(
            operationId = "datasets",
            summary = "Datasets with their versions, by name; `after` is exclusive, a page has 1,000 versions or 1 MiB")
    public RestResponse<DatasetList> datasets(
            @RestQuery @Nullable String after,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read,
            @Context RoutingContext context) {
        var from = Parameters.afterDataset(after);
        var most = Parameters.limit(limit);
        return lists.answer(
                context, revision, read, wanted -> queries.atLeast(wanted, reads -> reads.datasets(from, most)));
    }

    @GET
    @Path("/{dataset}")
    @Operation(operationId = "dataset", summary = "One dataset with its specification and versions, oldest first")
    public RestResponse<DatasetRecord> dataset(
            @RestPath String dataset,
            @RestQuery @Nullable String after,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read,
            @Context RoutingContext context) {
        var name = Parameters.dataset(dataset);
        var from = Parameters.afterNumber(after);
        var most = Parameters.limit(limit);
        return lists.answer(
                context,
                revision,
                read,
                wanted -> from == null && limit == null
                        ? lookups.dataset(name, wanted)
                        : queries.atLeast(wanted, reads -> reads.dataset(name, from, most)));
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
