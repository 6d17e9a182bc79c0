package io.tarpon.block.api;

import io.tarpon.block.BlockReads;
import io.tarpon.block.Wiring;
import io.tarpon.block.WriteAccess;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.util.Map;

/// What gateways tell a node, and what a node says of itself.
@ApplicationScoped
public class NodeRoutes {
    private static final long MAX_BODY_BYTES = 1 << 20;

    private final Wiring node;
    private final BlockReads reads;
    private final WriteAccess access;

    public NodeRoutes(Wiring node, BlockReads reads, WriteAccess access) {
        this.node = node;
        this.reads = reads;
        this.access = access;
    }

    public void register(@Observes Router router) {
        router.get("/v1/node").handler(BlockRoutes.guarded(context -> answer(context, node.facts())));
        router.post("/v1/blocks/used").handler(BlockRoutes.guarded(this::authorize));
        router.post("/v1/blocks/used")
                .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES))
                .handler(BlockRoutes.guarded(this::used))
                .failureHandler(NodeRoutes::bodyRefused);
        router.post("/v1/blocks/:id/damaged")
                .handler(BlockRoutes.guarded(this::authorize))
                .handler(BlockRoutes.guarded(this::damaged));
        router.route().order(Order.UNKNOWN).handler(BlockRoutes.guarded(context -> {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    "a block service answers /v1/blocks/{id}, /v1/node, /q/health and /q/metrics");
        }));
    }

    private void authorize(RoutingContext context) {
        access.check(context.request().getHeader(HttpHeaders.AUTHORIZATION));
        context.next();
    }

    private void used(RoutingContext context) {
        UsedBlocks used;
        try {
            var body = context.body().buffer();
            used = Json.read(body == null ? new byte[0] : body.getBytes(), UsedBlocks.class);
        } catch (IOException e) {
            throw TarponException.badParameter(
                    "the body is not {\"ids\":[...]} with at most " + UsedBlocks.MOST + " ids");
        }
        used.ids().stream().map(BlockQuery::blockId).forEach(reads::used);
        var _ = context.response().setStatusCode(204).end();
    }

    private void damaged(RoutingContext context) {
        var id = BlockQuery.blockId(context.pathParam("id"));
        var loop = context.vertx().getOrCreateContext();
        var _ = reads.examine(id)
                .whenComplete((found, failure) -> loop.runOnContext(_ -> {
                    if (failure != null) {
                        Problems.answer(context, failure);
                    } else {
                        answer(context, Map.of("id", id.hex(), "found", found));
                    }
                }));
    }

    private static void bodyRefused(RoutingContext context) {
        context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        Problems.answer(
                context,
                context.statusCode() == 413
                        ? new TarponException(
                                ProblemType.PAYLOAD_TOO_LARGE, "the body has more than " + MAX_BODY_BYTES + " bytes")
                        : TarponException.badParameter("the body cannot be read"));
    }

    private static void answer(RoutingContext context, Object document) {
        if (!context.response().closed()) {
            var _ = context.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .end(Buffer.buffer(Json.bytes(document)));
        }
    }
}
