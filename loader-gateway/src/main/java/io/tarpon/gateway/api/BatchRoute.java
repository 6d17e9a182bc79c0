package io.tarpon.gateway.api;

import io.tarpon.gateway.BodyStreams;
import io.tarpon.gateway.BodyStreams.Purpose;
import io.tarpon.gateway.GatewayMeters;
import io.tarpon.gateway.batch.BatchBytes;
import io.tarpon.gateway.batch.BatchRequest;
import io.tarpon.gateway.batch.Batches;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.service.api.ProblemAnswer;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.trace.Step;
import io.tarpon.wire.trace.Traces;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `POST /v1/batch`: many samples in one tar. It changes nothing, so it needs no token.
///
/// Threads: the event loop of the connection collects the body; workers parse it and look up its samples; the
/// answer goes out on the event loop. A sender that is slow or leaves ends with its connection, which ends what
/// it holds.
@ApplicationScoped
public class BatchRoute {
    static final String PATH = "/v1/batch";
    private static final String ROUTE = "batch";

    private final Batches batches;
    private final BodyAnswer bodyAnswer;
    private final HeapBudget heap;
    private final GatewayMeters meters;
    private final TracedReads reads;

    BatchRoute(Batches batches, BodyStreams streams, HeapBudget heap, GatewayMeters meters, Traces traces) {
        this.batches = batches;
        this.bodyAnswer = new BodyAnswer(streams);
        this.heap = heap;
        this.meters = meters;
        this.reads = new TracedReads(traces);
    }

    void handle(HttpServerRequest request) {
        var step = reads.begin(request).with("tarpon.route", ROUTE);
        try {
            requirePost(request);
            QueryParameters.refuseAll(request.query());
            var length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
            CollectedBody.requireFits(length == null ? 0 : Long.parseLong(length), BatchRequest.MOST_BYTES);
            collect(request, step);
        } catch (TarponException e) {
            refuse(request, e);
        }
    }

    private static void requirePost(HttpServerRequest request) {
        if (!HttpMethod.POST.equals(request.method())) {
            request.response().putHeader("Allow", "POST");
            throw new TarponException(ProblemType.METHOD_NOT_ALLOWED, "a batch is asked for with POST");
        }
    }

    private void collect(HttpServerRequest request, Step step) {
        var charge = heap.charge();
        var body = new CollectedBody(charge, BatchRequest.MOST_BYTES);
        TracedReads.atEnd(request, step, () -> {
            charge.close();
            body.drop();
        });
        Context context = Objects.requireNonNull(Vertx.currentContext());
        // The connection broke: the end of the answer, which comes with it, gives everything back.
        request.exceptionHandler(_ -> {});
        request.handler(data -> {
            if (!isOver(request)) {
                try {
                    body.add(data);
                } catch (TarponException e) {
                    refuse(request, e);
                }
            }
        });
        request.endHandler(_ -> {
            if (!isOver(request)) {
                var _ = batches.open(body.stream(), charge)
                        .whenComplete(
                                (bytes, thrown) -> context.runOnContext(_ -> reply(request, step, bytes, thrown)));
            }
        });
        if (expectsContinue(request)) {
            request.response().writeContinue();
        }
    }

    private static boolean isOver(HttpServerRequest request) {
        return request.response().ended() || request.response().closed();
    }

    private static boolean expectsContinue(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_1_1
                && "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    }

    private void reply(HttpServerRequest request, Step step, @Nullable BatchBytes bytes, @Nullable Throwable thrown) {
        if (isOver(request)) {
            return;
        }
        if (bytes == null) {
            meters.answered(ROUTE, ProblemAnswer.send(request, Objects.requireNonNull(thrown)));
            return;
        }
        try {
            send(request, step, bytes);
        } catch (TarponException e) {
            request.response().headers().clear();
            meters.answered(ROUTE, ProblemAnswer.send(request, e));
        }
    }

    private void send(HttpServerRequest request, Step step, BatchBytes bytes) {
        step.with("tarpon.version", bytes.version()).with("tarpon.samples", bytes.samples());
        var purpose = new Purpose(bytes.version(), step.traceparent().orElse(null));
        request.response()
                .putHeader("Content-Type", "application/x-tar")
                .putHeader("Content-Length", Long.toString(bytes.length()))
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Tarpon-Version", bytes.version())
                .putHeader("Tarpon-Samples", Long.toString(bytes.samples()));
        bodyAnswer.bytes(request, purpose, bytes.segments(), bytes.length(), status -> meters.answered(ROUTE, status));
    }

    /// What is left of a body is not waited for: it may be long, or, after `Expect: 100-continue`, never come.
    private void refuse(HttpServerRequest request, TarponException why) {
        meters.answered(
                ROUTE, Requests.hasBody(request) ? LastAnswer.send(request, why) : ProblemAnswer.send(request, why));
    }
}
