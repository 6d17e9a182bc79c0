package io.tarpon.gateway.api;

import io.tarpon.gateway.BodyStreams;
import io.tarpon.gateway.BodyStreams.Purpose;
import io.tarpon.gateway.ByteBodies;
import io.tarpon.gateway.GatewayMeters;
import io.tarpon.gateway.body.Answer;
import io.tarpon.gateway.epoch.Epochs;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.gateway.order.EpochPart;
import io.tarpon.gateway.target.ByteTarget;
import io.tarpon.gateway.target.EpochPath;
import io.tarpon.gateway.target.EpochTarget;
import io.tarpon.gateway.target.TargetPath;
import io.tarpon.service.api.ProblemAnswer;
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
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Everything below `/d` and `/e`. It sees the path as sent: a router would normalise it, and a key is bytes.
///
/// Threads: a request is handled on the event loop of its connection; what is asked for on other threads comes back
/// through its context.
@ApplicationScoped
public class ByteRoutes {
    private final ByteBodies bodies;
    private final Epochs epochs;
    private final BodyAnswer bodyAnswer;
    private final GatewayMeters meters;
    private final PublicUrl publicUrl;
    private final HeapBudget heap;
    private final TracedReads reads;

    ByteRoutes(
            ByteBodies bodies,
            Epochs epochs,
            BodyStreams streams,
            GatewayMeters meters,
            PublicUrl publicUrl,
            HeapBudget heap,
            Traces traces) {
        this.bodies = bodies;
        this.epochs = epochs;
        this.bodyAnswer = new BodyAnswer(streams);
        this.meters = meters;
        this.publicUrl = publicUrl;
        this.heap = heap;
        this.reads = new TracedReads(traces);
    }

    /// @param path of the request as sent
    void handle(HttpServerRequest request, String path) {
        var step = reads.begin(request);
        try {
            requireRead(request);
            if (path.startsWith(EpochPath.PREFIX)) {
                openEpoch(request, EpochPath.parse(path), step);
            } else {
                openBytes(request, TargetPath.parse(path), step);
            }
        } catch (TarponException e) {
            meters.answered("bytes", ProblemAnswer.send(request, e));
        }
    }

    private static void requireRead(HttpServerRequest request) {
        if (!HttpMethod.GET.equals(request.method()) && !HttpMethod.HEAD.equals(request.method())) {
            request.response().putHeader("Allow", "GET, HEAD");
            throw new TarponException(
                    ProblemType.METHOD_NOT_ALLOWED, "bytes are read with GET or HEAD, not " + request.method());
        }
    }

    private void openBytes(HttpServerRequest request, ByteTarget target, Step step) {
        QueryParameters.refuseAll(request.query());
        var route = target.thing().route();
        TracedReads.describe(step, target.dataset(), target.version(), target.split(), route);
        answer(request, route, step, bodies.open(target, () -> publicUrl.base(request)));
    }

    private void openEpoch(HttpServerRequest request, EpochTarget target, Step step) {
        var route = target.thing().route();
        TracedReads.describe(step, target.dataset(), target.version(), target.split(), route);
        var fromStart =
                HttpMethod.HEAD.equals(request.method()) || !request.headers().contains("Range");
        var asking = new Epochs.Asking(fromStart, () -> publicUrl.base(request), () -> charge(request, step));
        answer(request, route, step, epochs.open(target, request.query(), asking));
    }

    private HeapBudget.Charge charge(HttpServerRequest request, Step step) {
        var charge = heap.charge();
        TracedReads.atEnd(request, step, charge::close);
        return charge;
    }

    private void answer(HttpServerRequest request, String route, Step step, CompletableFuture<Answer> opened) {
        if (opened.isDone()) {
            var _ = opened.whenComplete((found, thrown) -> reply(request, route, step, found, thrown));
            return;
        }
        Context context = Objects.requireNonNull(Vertx.currentContext());
        var _ = opened.whenComplete(
                (found, thrown) -> context.runOnContext(_ -> reply(request, route, step, found, thrown)));
    }

    private void reply(
            HttpServerRequest request, String route, Step step, @Nullable Answer found, @Nullable Throwable thrown) {
        if (request.response().closed()) {
            return;
        }
        try {
            switch (found) {
                case null -> throw Objects.requireNonNull(thrown);
                case Answer.Elsewhere(var path) -> redirect(request, route, publicUrl.base(request) + path);
                case Answer.Here(var body, var version, var part) -> {
                    var purpose = purpose(request, version, part, step);
                    bodyAnswer.send(request, body, purpose, status -> meters.answered(route, status));
                }
            }
        } catch (Throwable e) {
            BodyAnswer.refuse(request, e, status -> meters.answered(route, status));
        }
    }

    private static Purpose purpose(HttpServerRequest request, String version, @Nullable EpochPart part, Step step) {
        var traceparent = step.traceparent().orElse(null);
        return part == null
                ? new Purpose(version, traceparent)
                : new Purpose(
                        version,
                        traceparent,
                        part,
                        String.valueOf(request.connection().remoteAddress()));
    }

    private void redirect(HttpServerRequest request, String route, String location) {
        var response = request.response().setStatusCode(302);
        response.putHeader("Location", location).putHeader("Cache-Control", "no-store");
        response.putHeader("Content-Length", "0");
        meters.answered(route, 302);
        var _ = response.end();
    }
}
