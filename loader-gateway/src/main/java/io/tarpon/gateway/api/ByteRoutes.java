package io.tarpon.gateway.api;

import io.tarpon.gateway.BodyStreams;
import io.tarpon.gateway.ByteBodies;
import io.tarpon.gateway.GatewayMeters;
import io.tarpon.gateway.target.ByteTarget;
import io.tarpon.gateway.target.TargetPath;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
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

    ByteRoutes(ByteBodies bodies, BodyStreams streams, GatewayMeters meters, PublicUrl publicUrl) {
        this.bodies = bodies;
        this.answer = new BodyAnswer(streams);
        this.meters = meters;
        this.publicUrl = publicUrl;
    }

    /// @param path of the request as sent
    void handle(HttpServerRequest request, String path) {
        try {
            var target = target(request, path);
            open(request, target);
        } catch (TarponException e) {
            meters.answered("bytes", Problems.answer(request, e));
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

    private void open(HttpServerRequest request, ByteTarget target) {
        var route = target.thing().route();
        var opened = bodies.open(target, () -> publicUrl.base(request));
        if (opened.isDone()) {
            var _ = opened.whenComplete((found, thrown) -> reply(request, route, found, thrown));
            return;
        }
        Context context = Objects.requireNonNull(Vertx.currentContext());
        var _ = opened.whenComplete((found, thrown) -> context.runOnContext(_ -> reply(request, route, found, thrown)));
    }

    private void reply(
            HttpServerRequest request, String route, ByteBodies.@Nullable Answer found, @Nullable Throwable thrown) {
        if (request.response().closed()) {
            return;
        }
        try {
            switch (found) {
                case null -> throw Objects.requireNonNull(thrown);
                case ByteBodies.Elsewhere(var path) -> redirect(request, route, publicUrl.base(request) + path);
                case ByteBodies.Here(var body, var version) ->
                    answer.send(request, body, version, status -> meters.answered(route, status));
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
