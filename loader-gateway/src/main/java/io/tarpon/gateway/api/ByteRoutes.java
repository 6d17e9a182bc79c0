package io.tarpon.gateway.api;

import io.opentelemetry.api.trace.SpanKind;
import io.tarpon.gateway.BodyStreams;
import io.tarpon.gateway.BodyStreams.Purpose;
import io.tarpon.gateway.ByteBodies;
import io.tarpon.gateway.GatewayMeters;
import io.tarpon.gateway.target.ByteTarget;
import io.tarpon.gateway.target.TargetPath;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.trace.Step;
import io.tarpon.wire.trace.Traces;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Everything below `/d`. It sees the path as sent: a router would normalise it, and a key is bytes.
///
/// Threads: a request is handled on the event loop of its connection; what is asked for on other threads comes back
/// through its context.
@ApplicationScoped
public class ByteRoutes {
    private final ByteBodies bodies;
    private final BodyAnswer answer;
    private final GatewayMeters meters;
    private final PublicUrl publicUrl;
    private final Traces traces;

    ByteRoutes(ByteBodies bodies, BodyStreams streams, GatewayMeters meters, PublicUrl publicUrl, Traces traces) {
        this.bodies = bodies;
        this.answer = new BodyAnswer(streams);
        this.meters = meters;
        this.publicUrl = publicUrl;
        this.traces = traces;
    }

    /// @param path of the request as sent
    void handle(HttpServerRequest request, String path) {
        var step = traces.isOn() ? begin(request) : Step.NONE;
        try {
            var target = target(request, path);
            describe(step, target);
            open(request, target, step);
        } catch (TarponException e) {
            meters.answered("bytes", Problems.answer(request, e));
        }
    }

    private Step begin(HttpServerRequest request) {
        var response = request.response();
        var step = traces.begin("read", SpanKind.SERVER, request.getHeader("traceparent"));
        response.endHandler(_ -> {
            if (!response.ended()) {
                step.failed("the connection broke");
            }
            step.with("http.response.status_code", response.getStatusCode()).close();
        });
        return step;
    }

    private static void describe(Step step, ByteTarget target) {
        if (step != Step.NONE) {
            step.with("tarpon.dataset", target.dataset().value())
                    .with(
                            "tarpon.version",
                            target.version() == null
                                    ? "latest"
                                    : target.version().toString())
                    .with("tarpon.split", target.split().value())
                    .with("tarpon.route", target.thing().route());
        }
    }

    private static ByteTarget target(HttpServerRequest request, String path) {
        if (!HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method())) {
            request.response().putHeader("Allow", "GET, HEAD");
            throw new TarponException(
                    ProblemType.METHOD_NOT_ALLOWED, "bytes are read with GET or HEAD, not " + request.method());
        }
        QueryParameters.refuseAll(request.query());
        return TargetPath.parse(path);
    }

    private void open(HttpServerRequest request, ByteTarget target, Step step) {
        var route = target.thing().route();
        var opened = bodies.open(target, () -> publicUrl.base(request));
        if (opened.isDone()) {
            var _ = opened.whenComplete((found, thrown) -> reply(request, route, step, found, thrown));
            return;
        }
        Context context = Objects.requireNonNull(Vertx.currentContext());
        var _ = opened.whenComplete(
                (found, thrown) -> context.runOnContext(_ -> reply(request, route, step, found, thrown)));
    }

    private void reply(
            HttpServerRequest request,
            String route,
            Step step,
            ByteBodies.@Nullable Answer found,
            @Nullable Throwable thrown) {
        if (request.response().closed()) {
            return;
        }
        try {
            switch (found) {
                case null -> throw Objects.requireNonNull(thrown);
                case ByteBodies.Elsewhere(var path) -> redirect(request, route, publicUrl.base(request) + path);
                case ByteBodies.Here(var body, var version) -> {
                    var purpose = new Purpose(version, step.traceparent().orElse(null));
                    answer.send(request, body, purpose, status -> meters.answered(route, status));
                }
            }
        } catch (Throwable e) {
            request.response().headers().clear();
            meters.answered(route, Problems.answer(request, e));
        }
    }

    private void redirect(HttpServerRequest request, String route, String location) {
        var response = request.response().setStatusCode(302);
        response.putHeader("Location", location).putHeader("Cache-Control", "no-store");
        response.putHeader("Content-Length", "0");
        meters.answered(route, 302);
        var _ = response.end();
    }
}
