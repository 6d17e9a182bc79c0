package io.tarpon.wire.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One thing that a service does for a trace, from its begin to its end.
///
/// Threads: any, one after the other.
public final class Step implements AutoCloseable {
    /// Of no trace, and recorded nowhere.
    public static final Step NONE = new Step(null, null);

    private final @Nullable Span span;
    private final @Nullable String traceparent;

    Step(@Nullable Span span, @Nullable String traceparent) {
        this.span = span;
        this.traceparent = traceparent;
    }

    /// What is done in a step.
    ///
    /// @param <T> what comes of it
    /// @param <X> how it fails
    @FunctionalInterface
    public interface Work<T, X extends Exception> {
        T of(Step step) throws X;
    }

    /// Does the work and ends the step; what the work throws is the step's failure.
    public <T, X extends Exception> T during(Work<T, X> work) throws X {
        try {
            return work.of(this);
        } catch (Throwable e) {
            failed(String.valueOf(e.getMessage()));
            throw e;
        } finally {
            close();
        }
    }

    public Step with(String attribute, String value) {
        if (span != null) {
            span.setAttribute(attribute, value);
        }
        return this;
    }

    public Step with(String attribute, long value) {
        if (span != null) {
            span.setAttribute(attribute, value);
        }
        return this;
    }

    public void failed(String reason) {
        if (span != null) {
            span.setStatus(StatusCode.ERROR, reason);
        }
    }

    /// The header `traceparent` for what this step asks of others; empty where there is no trace.
    public Optional<String> traceparent() {
        return Optional.ofNullable(traceparent);
    }

    /// Ends it. A second call does nothing.
    @Override
    public void close() {
        if (span != null) {
            span.end();
        }
    }
}
