package io.tarpon.block.api;

import io.netty.channel.epoll.EpollSocketChannel;
import io.opentelemetry.api.trace.SpanKind;
import io.tarpon.block.BlockReads;
import io.tarpon.block.BlockRequest;
import io.tarpon.block.OpenReads;
import io.tarpon.blocks.SlowReaders;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.UnsentShare;
import io.tarpon.wire.trace.Traces;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/// `GET` and `HEAD /v1/blocks/{id}`: on the event loop, which nothing here blocks.
@ApplicationScoped
public class BlockRoutes {
    private static final String PATH = "/v1/blocks/:id";

    private final BlockReads reads;
    private final OpenReads open;
    private final SlowReaders slow;
    private final Traces traces;

    public BlockRoutes(BlockReads reads, OpenReads open, SlowReaders slow, Traces traces) {
        this.reads = reads;
        this.open = open;
        this.slow = slow;
        this.traces = traces;
    }

    public void register(@Observes Router router) {
        router.route(HttpMethod.GET, PATH).handler(guarded(this::get));
        router.route(HttpMethod.HEAD, PATH).handler(guarded(this::head));
        router.route(PATH).order(Order.WRONG_METHOD).handler(guarded(context -> {
            context.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            throw new TarponException(ProblemType.METHOD_NOT_ALLOWED, "a block answers GET and HEAD");
        }));
    }

    private void get(RoutingContext context) {
        var request = BlockQuery.parse(context.pathParam("id"), context.queryParams());
        enter(context);
        trace(context, request);
        new BlockResponse(context, reads, slow, request).start();
    }

    private void head(RoutingContext context) {
        var request = BlockQuery.parse(context.pathParam("id"), context.queryParams());
        enter(context);
        var loop = context.vertx().getOrCreateContext();
        var _ = reads.describe(request)
                .whenComplete((block, failure) -> loop.runOnContext(_ -> {
                    if (failure != null) {
                        Refusal.answer(context, failure);
                    } else if (!context.response().closed()) {
                        BlockHead.put(context.response(), request.id(), block.hit(), block.length());
                        var _ = context.response().end();
                    }
                }));
    }

    /// A step for those who ask within a trace; nodes that fill their blocks from here do not.
    private void trace(RoutingContext context, BlockRequest request) {
        var parent = traces.isOn() ? context.request().getHeader("traceparent") : null;
        if (parent == null) {
            return;
        }
        var step = traces.begin("read block", SpanKind.SERVER, parent)
                .with("tarpon.block", request.id().hex())
                .with("tarpon.shard", request.shard().path());
        context.addEndHandler(ended -> {
            var presence = context.response().headers().get(BlockHead.PRESENCE);
            step.with("tarpon.result", presence == null ? "none" : presence)
                    .with("http.response.status_code", context.response().getStatusCode());
            if (ended.failed()) {
                step.failed("the connection broke");
            }
            step.close();
        });
    }

    /// Counts the request until its answer has ended, however it ends.
    private void enter(RoutingContext context) {
        var read = open.begin();
        context.addEndHandler(_ -> read.end());
        var connection = (ConnectionBase) context.request().connection();
        if (connection.channel() instanceof EpollSocketChannel socket && socket.isActive()) {
            socket.config().setTcpNotSentLowAt(UnsentShare.of(open.count()));
        }
    }

    /// A handler whose exceptions are answered as problems.
    static Handler<RoutingContext> guarded(Handler<RoutingContext> handler) {
        return context -> {
            try {
                handler.handle(context);
            } catch (RuntimeException e) {
                Refusal.answer(context, e);
            }
        };
    }
}
