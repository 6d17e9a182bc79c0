package io.tarpon.wire.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/// The steps that one service adds to traces, as spans of OpenTelemetry, or none of them: where tracing is off a step
/// records nothing and hands on the context that it was given. Nothing is kept in a thread: a step's context goes where
/// it is handed.
///
/// Threads: any.
public final class Traces {
    private static final Traces OFF = new Traces(null);
    private static final String SCOPE = "io.tarpon";

    private final @Nullable Tracer tracer;

    private Traces(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    public static Traces off() {
        return OFF;
    }

    public static Traces to(OpenTelemetry telemetry) {
        return new Traces(telemetry.getTracer(SCOPE));
    }

    /// Whether steps are recorded; a byte path asks before it reads a header.
    public boolean isOn() {
        return tracer != null;
    }

    /// Begins a step, which the caller ends.
    ///
    /// @param name one of a few: what is done, never to which thing
    /// @param parent `traceparent` as it came; where it is null or malformed the step begins a trace
    public Step begin(String name, SpanKind kind, @Nullable String parent) {
        if (tracer == null) {
            return Traceparent.isWellFormed(parent) ? new Step(null, parent) : Step.NONE;
        }
        var context = Traceparent.parse(parent)
                .map(remote -> Context.root().with(Span.wrap(remote)))
                .orElseGet(Context::root);
        var span = tracer.spanBuilder(name).setSpanKind(kind).setParent(context).startSpan();
        return new Step(span, Traceparent.of(span.getSpanContext()));
    }
}
