package io.tarpon.metadata;

import io.micrometer.core.instrument.MeterRegistry;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The use case of every change: carried through the log, answered, and counted by its result.
public final class Commands {
    private static final String NAME = "tarpon.metadata.commands";
    private static final List<String> RESULTS = List.of("applied", "repeated", "refused", "failed");

    private final Proposer proposer;
    private final MeterRegistry metrics;

    Commands(Proposer proposer, MeterRegistry metrics) {
        this.proposer = proposer;
        this.metrics = metrics;
        RESULTS.forEach(result -> metrics.counter(NAME, "result", result));
    }

    /// @param traceparent W3C Trace Context of the request, null where there is none
    public <A> Versioned<A> execute(Command<A> command, @Nullable String traceparent) {
        try {
            var executed = proposer.execute(command, traceparent);
            count(executed.changed() ? "applied" : "repeated");
            return executed.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            count("failed");
            throw new TarponException(
                    ProblemType.NOT_READY, "the service is stopping; the change may or may not have happened", e);
        } catch (TarponException e) {
            count(e.type().status() < 500 ? "refused" : "failed");
            throw e;
        }
    }

    private void count(String result) {
        metrics.counter(NAME, "result", result).increment();
    }
}
