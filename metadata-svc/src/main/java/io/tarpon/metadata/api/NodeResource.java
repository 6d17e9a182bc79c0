package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.NodeWatch;
import io.tarpon.metadata.Nodes;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
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

/// Nodes: joining and leaving go through the log, heartbeats do not.
@Path("/v1/nodes")
@Tag(name = "nodes")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class NodeResource {
    private final Nodes nodes;
    private final NodeWatch watch;
    private final Lists lists;

    NodeResource(Nodes nodes, NodeWatch watch, Lists lists) {
        this.nodes = nodes;
        this.watch = watch;
        this.lists = lists;
    }

    @GET
    @Operation(operationId = "nodes", summary = "Every node that joined and did not leave, and whether it lives")
    public RestResponse<NodeList> nodes(
            @RestQuery @Nullable String revision, @RestQuery @Nullable String read, @Context RoutingContext context) {
        return lists.answer(context, revision, read, wanted -> watch.list(wanted));
    }

    @PUT
    @Path("/{node}")
    @Operation(operationId = "join", summary = "Makes a node part of the cluster, or changes what it registered")
    public RestResponse<NodeRecord> join(
            @RestPath String node,
            NodeRegistration registration,
            @RestQuery @Nullable String incarnation,
            @RestHeader("traceparent") @Nullable String traceparent) {
        return Answers.of(nodes.join(node, Bodies.require(registration), incarnation, Bodies.trace(traceparent)));
    }

    @POST
    @Path("/{node}/heartbeat")
    @Operation(
            operationId = "heartbeat",
            summary = "A node lives; 404: it must join again; 409: another process is the node")
    public RestResponse<NodeRecord> heartbeat(
            @RestPath String node, Heartbeat heartbeat, @RestQuery @Nullable String incarnation) {
        return Answers.of(nodes.heartbeat(node, Bodies.require(heartbeat), incarnation));
    }

    @DELETE
    @Path("/{node}")
    @Consumes(MediaType.WILDCARD)
    @Operation(
            operationId = "leave",
            summary =
                    "Takes a node out of the cluster; one that is not in it has left. `incarnation`: only that process")
    public RestResponse<Void> leave(
            @RestPath String node,
            @RestQuery @Nullable String incarnation,
            @RestHeader("traceparent") @Nullable String traceparent) {
        var left = nodes.leave(node, incarnation, Bodies.trace(traceparent));
        return RestResponse.ResponseBuilder.<Void>noContent()
                .header(Answers.REVISION, left.revision())
                .build();
    }
}
