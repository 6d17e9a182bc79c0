package io.tarpon.metadata.api;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.tarpon.metadata.NodeWatch;
import io.tarpon.metadata.Queries;
import io.tarpon.wire.metadata.NodeChanges;
import io.vertx.core.http.HttpClosedException;
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

/// How the nodes change, by long poll. Whoever waits does so on the thread of his request, a virtual one, and is let go
/// when his connection is.
@Path("/v1/node-changes")
@Tag(name = "nodes")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class NodeChangesResource {
    /// Some 10 KiB: what any connection takes at once. All who wait are answered at once, so few changes must not stand
    /// in line for room.
    private static final int FEW = 32;

    private final NodeWatch watch;
    private final Queries queries;
    private final Lists lists;

    NodeChangesResource(NodeWatch watch, Queries queries, Lists lists) {
        this.watch = watch;
        this.queries = queries;
        this.lists = lists;
    }

    @GET
    @Operation(
            operationId = "nodeChanges",
            summary = "What has changed since the `tag` of an answer before, once something has or `wait-millis` are"
                    + " over; all nodes where the tag is not known")
    public RestResponse<NodeChanges> changes(
            @RestQuery @Nullable String since,
            @RestQuery("wait-millis") @Nullable String waitMillis,
            @RestQuery @Nullable String revision,
            @RestQuery @Nullable String read,
            @Context RoutingContext context) {
        var tag = Parameters.tag(since);
        var patience = Parameters.patience(waitMillis);
        var wanted = Parameters.wanted(queries, revision, read);
        var changes = watch.changes(wanted, tag, patience, wake -> wakeAtEnd(context, wake));
        if (context.response().closed()) {
            throw new HttpClosedException("the connection is gone");
        }
        var size = changes.value().nodes().size() + changes.value().left().size();
        return size <= FEW ? Answers.of(changes) : lists.answer(context, changes);
    }

    private static void wakeAtEnd(RoutingContext context, Runnable wake) {
        context.addEndHandler(_ -> wake.run());
        // It may have ended before anybody watched for it.
        if (context.response().closed()) {
            wake.run();
        }
    }
}
