package io.tarpon.metadata;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.trace.Step;
import io.tarpon.wire.trace.Traces;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The use case of every change: carried through the log, answered, counted by its result, and a step of the trace of
/// whoever asks for it.
public final class Commands {
    private static final String NAME = "tarpon.metadata.commands";
    private static final List<String> RESULTS = List.of("applied", "repeated", "refused", "failed");

    private final Proposer proposer;
    private final MeterRegistry metrics;
    private final Traces traces;

    Commands(Proposer proposer, MeterRegistry metrics, Traces traces) {
        this.proposer = proposer;
        this.metrics = metrics;
        this.traces = traces;
        RESULTS.forEach(result -> metrics.counter(NAME, "result", result));
    }

    /// @param traceparent W3C Trace Context of the request, null where there is none
    public <A> Versioned<A> execute(Command<A> command, @Nullable String traceparent) {
        var name = "metadata " + command.getClass().getSimpleName();
        return traces.begin(name, SpanKind.SERVER, traceparent).during(step -> execute(command, step));
    }

    private <A> Versioned<A> execute(Command<A> command, Step step) {
        step.with("tarpon.scope", command.scope());
        try {
            var executed = proposer.execute(command, step.traceparent().orElse(null));
            count(executed.changed() ? "applied" : "repeated", step);
            return executed.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            count("failed", step);
            throw new TarponException(
                    ProblemType.NOT_READY, "the service is stopping; the change may or may not have happened", e);
        } catch (TarponException e) {
            count(e.type().status() < 500 ? "refused" : "failed", step);
            throw e;
        }
    }

    private void count(String result, Step step) {
        step.with("tarpon.result", result);
        metrics.counter(NAME, "result", result).increment();
    }
}
