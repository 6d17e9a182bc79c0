package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.Commands;
import io.tarpon.metadata.Queries;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardPage;
import io.tarpon.wire.metadata.ShardRecord;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
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

/// Shards of a split, as planned and as sealed.
@Path("/v1/datasets/{dataset}/versions/{version}/splits/{split}/shards")
@Tag(name = "shards")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class ShardResource {
    private final Commands commands;
    private final Queries queries;
    private final Lists lists;

    ShardResource(Commands commands, Queries queries, Lists lists) {
        this.commands = commands;
        this.queries = queries;
        this.lists = lists;
    }

    @GET
    @Operation(
            operationId = "shards",
            summary = "A split's shards in order; `after` is exclusive, a page has 1,000 or 1 MiB")
    public RestResponse<ShardPage> shards(
            @RestPath String dataset,
            @RestPath String version,
            @RestPath String split,
            @RestQuery @Nullable String after,
            @RestQuery @Nullable String limit,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read,
            @Context RoutingContext context) {
        var name = Parameters.dataset(dataset);
        var id = Parameters.version(version);
        var of = Parameters.split(split);
        var from = Parameters.afterShard(after);
        var most = Parameters.limit(limit);
        return lists.answer(
                context,
                revision,
                read,
                wanted -> queries.atLeast(wanted, reads -> reads.shards(name, id, of, from, most)));
    }

    @GET
    @Path("/{shard}")
    @Operation(operationId = "shard", summary = "One shard; `seal` is null until it is built")
    public RestResponse<ShardRecord> shard(
            @RestPath String dataset,
            @RestPath String version,
            @RestPath String split,
            @RestPath String shard,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read) {
        var ref = Parameters.shardRef(dataset, version, split, shard);
        return Answers.of(queries.atLeast(Parameters.wanted(queries, revision, read), reads -> reads.shard(ref)));
    }

    @POST
    @Path("/{shard}/seal")
    @Operation(
            operationId = "seal",
            summary = "Seals a shard as built; the last planned one seals its version. Other content later: 409")
    public RestResponse<ShardRecord> seal(
            @RestPath String dataset,
            @RestPath String version,
            @RestPath String split,
            @RestPath String shard,
            SealShard seal,
            @RestHeader("traceparent") @Nullable String traceparent) {
        var ref = Parameters.shardRef(dataset, version, split, shard);
        var command = new io.tarpon.metadata.image.SealShard(ref, Bodies.require(seal));
        return Answers.of(commands.execute(command, Bodies.trace(traceparent)));
    }
}
