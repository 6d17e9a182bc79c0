package io.tarpon.gateway.api;

import io.opentelemetry.api.trace.SpanKind;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.trace.Step;
import io.tarpon.wire.trace.Traces;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/// Reads as steps of traces, and what else ends with an answer. On the event loop of the connection.
final class TracedReads {
    private final Traces traces;

    TracedReads(Traces traces) {
        this.traces = traces;
    }

    /// The step ends with the answer.
    Step begin(HttpServerRequest request) {
        if (!traces.isOn()) {
            return Step.NONE;
        }
        var step = traces.begin("read", SpanKind.SERVER, request.getHeader("traceparent"));
        atEnd(request, step, () -> {});
        return step;
    }

    /// Does something when the answer is over or its connection broke, and ends the step. The last such call
    /// counts.
    static void atEnd(HttpServerRequest request, Step step, Runnable action) {
        var response = request.response();
        response.endHandler(_ -> {
            action.run();
            if (!response.ended()) {
                step.failed("the connection broke");
            }
            step.with("http.response.status_code", response.getStatusCode()).close();
        });
    }

    static void describe(Step step, DatasetName dataset, @Nullable VersionId version, SplitName split, String route) {
        if (step != Step.NONE) {
            step.with("tarpon.dataset", dataset.value())
                    .with("tarpon.version", version == null ? "latest" : version.toString())
                    .with("tarpon.split", split.value())
                    .with("tarpon.route", route);
        }
    }
}
