package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Commands;
import io.tarpon.metadata.Lookups;
import io.tarpon.metadata.Queries;
import io.tarpon.metadata.image.RemoveVersion;
import io.tarpon.metadata.image.RetryVersion;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.VersionRecord;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
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

/// Versions and their lives. Those that are not sealed show here too, with their state.
@Path("/v1/datasets/{dataset}/versions")
@Tag(name = "versions")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class VersionResource {
    private static final String LATEST = "latest";

    private final Commands commands;
    private final Queries queries;
    private final Lookups lookups;

    VersionResource(Commands commands, Queries queries, Lookups lookups) {
        this.commands = commands;
        this.queries = queries;
        this.lookups = lookups;
    }

    @POST
    @Operation(operationId = "begin", summary = "Begins a version for a request; the same request has the same version")
    public RestResponse<VersionRecord> begin(
            @RestPath String dataset, BeginVersion begin, @RestHeader("traceparent") @Nullable String traceparent) {
        var name = Parameters.dataset(dataset);
        var body = Bodies.require(begin);
        var command = new io.tarpon.metadata.image.BeginVersion(name, body.requestId(), body.spec());
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }

    @GET
    @Path("/{version}")
    @Operation(operationId = "version", summary = "One version in any state; `latest` is the highest sealed one")
    public RestResponse<VersionRecord> version(
            @RestPath String dataset,
            @RestPath String version,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read) {
        var name = Parameters.dataset(dataset);
        var wanted = Parameters.wanted(queries, revision, read);
        if (version.equals(LATEST)) {
            return Answers.of(lookups.latest(name, wanted));
        }
        return Answers.of(lookups.version(name, Parameters.version(version), wanted));
    }

    @PUT
    @Path("/{version}/plan")
    @Operation(
            operationId = "plan",
            summary = "Freezes a version's plan; a plan equal to the latest sealed version's removes this one for it")
    public RestResponse<VersionRecord> plan(
            @RestPath String dataset,
            @RestPath String version,
            PlanVersion plan,
            @RestHeader("traceparent") @Nullable String traceparent) {
        var command = new io.tarpon.metadata.image.PlanVersion(
                Parameters.dataset(dataset), Parameters.version(version), Bodies.require(plan));
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }

    @POST
    @Path("/{version}/fail")
    @Operation(operationId = "fail", summary = "Ends a version that cannot be built; the first reason stays")
    public RestResponse<VersionRecord> fail(
            @RestPath String dataset,
            @RestPath String version,
            FailVersion fail,
            @RestHeader("traceparent") @Nullable String traceparent) {
        var body = Bodies.require(fail);
        var command = new io.tarpon.metadata.image.FailVersion(
                Parameters.dataset(dataset), Parameters.version(version), body.reason(), body.planDigest());
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }

    @POST
    @Path("/{version}/retry")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            operationId = "retry",
            summary =
                    "A failed version is planned again; shards that come out of the new plan as they were stay sealed")
    public RestResponse<VersionRecord> retry(
            @RestPath String dataset,
            @RestPath String version,
            @RestHeader("traceparent") @Nullable String traceparent) {
        var command = new RetryVersion(Parameters.dataset(dataset), Parameters.version(version));
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }

    @DELETE
    @Path("/{version}")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            operationId = "removeVersion",
            summary = "Takes a version that has ended from its readers; 409 while it is in work")
    public RestResponse<VersionRecord> remove(
            @RestPath String dataset,
            @RestPath String version,
            @RestHeader("traceparent") @Nullable String traceparent) {
        var command = new RemoveVersion(Parameters.dataset(dataset), Parameters.version(version));
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }
}
