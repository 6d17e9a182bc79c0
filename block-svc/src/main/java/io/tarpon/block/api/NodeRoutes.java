package io.tarpon.block.api;

import io.tarpon.block.BlockDrops;
import io.tarpon.block.BlockReads;
import io.tarpon.block.WantedFills;
import io.tarpon.block.Wiring;
import io.tarpon.service.WriteAccess;
import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/// What gateways tell a node, and what a node says of itself.
@ApplicationScoped
public class NodeRoutes {
    private static final long MAX_BODY_BYTES = 1 << 20;

    private final Wiring node;
    private final BlockReads reads;
    private final BlockDrops drops;
    private final WantedFills wanted;
    private final WriteAccess access;

    public NodeRoutes(Wiring node, BlockReads reads, BlockDrops drops, WantedFills wanted, WriteAccess access) {
        this.node = node;
        this.reads = reads;
        this.drops = drops;
        this.wanted = wanted;
        this.access = access;
    }

    public void register(@Observes Router router) {
        router.get("/v1/node").handler(BlockRoutes.guarded(context -> answer(context, node.facts())));
        post(router, "/v1/blocks/used", this::used);
        post(router, "/v1/blocks/wanted", this::wanted);
        post(router, "/v1/blocks/drop", this::drop);
        router.post("/v1/blocks/:id/damaged")
                .handler(BlockRoutes.guarded(this::authorize))
                .handler(BlockRoutes.guarded(this::damaged));
        router.route().order(Order.UNKNOWN).handler(BlockRoutes.guarded(context -> {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    "a block service answers /v1/blocks/{id}, /v1/node, /q/health and /q/metrics");
        }));
    }

    /// With the token first: nobody else's body is read.
    private void post(Router router, String path, Handler<RoutingContext> handler) {
        router.post(path).handler(BlockRoutes.guarded(this::authorize));
        router.post(path)
                .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES))
                .handler(BlockRoutes.guarded(handler))
                .failureHandler(NodeRoutes::bodyRefused);
    }

    private void authorize(RoutingContext context) {
        access.check(context.request().getHeader(HttpHeaders.AUTHORIZATION));
        context.next();
    }

    private void used(RoutingContext context) {
        var used = body(context, UsedBlocks.class, "{\"ids\":[...]} with at most " + UsedBlocks.MOST + " ids");
        used.ids().stream().map(BlockQuery::blockId).forEach(reads::used);
        var _ = context.response().setStatusCode(204).end();
    }

    private void wanted(RoutingContext context) {
        var body = body(
                context,
                WantedBlocks.class,
                "{\"blocks\":[{\"id\",\"shard\",\"block\"}]} with at most " + WantedBlocks.MOST + " blocks");
        var requests = body.blocks().stream().map(BlockQuery::wanted).toList();
        answer(context, new WantedBlocks.Answer(wanted.want(requests)));
    }

    private void drop(RoutingContext context) {
        var drop = body(
                context,
                DropBlocks.class,
                "{\"ids\":[...],\"dryRun\":false} with at most " + DropBlocks.MAX_IDS + " ids");
        var ids = drop.ids().stream().map(BlockQuery::blockId).toList();
        answer(context, drops.drop(ids, drop.dryRun()));
    }

    private void damaged(RoutingContext context) {
        var id = BlockQuery.blockId(context.pathParam("id"));
        answer(context, reads.examine(id).thenApply(found -> Map.of("id", id.hex(), "found", found)));
    }

    private static <T> T body(RoutingContext context, Class<T> type, String shape) {
        try {
            var body = context.body().buffer();
            return Json.read(body == null ? new byte[0] : body.getBytes(), type);
        } catch (IOException e) {
            throw TarponException.badParameter("the body is not " + shape);
        }
    }

    private static void bodyRefused(RoutingContext context) {
        context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        Refusal.answer(
                context,
                context.statusCode() == 413
                        ? new TarponException(
                                ProblemType.PAYLOAD_TOO_LARGE, "the body has more than " + MAX_BODY_BYTES + " bytes")
                        : TarponException.badParameter("the body cannot be read"));
    }

    private static void answer(RoutingContext context, CompletionStage<?> document) {
        var loop = context.vertx().getOrCreateContext();
        var _ = document.whenComplete((answer, failure) -> loop.runOnContext(_ -> {
            if (failure != null) {
                Refusal.answer(context, failure);
            } else {
                answer(context, answer);
            }
        }));
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
