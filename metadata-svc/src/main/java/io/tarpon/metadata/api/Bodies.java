package io.tarpon.metadata.api;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.wire.http.TarponException;
import org.jspecify.annotations.Nullable;

/// What is demanded of every command beside its path.
final class Bodies {
    private Bodies() {}

    /// The body back; `bad-parameter` where the request has none or `null`.
    static <T> T require(@Nullable T body) {
        if (body == null) {
            throw TarponException.badParameter("body: the request has none, it needs a JSON object");
        }
        return body;
    }

    /// The trace context of the request, null where it carries none that is well-formed: tracing must not fail a
    /// command.
    static @Nullable String trace(@Nullable String traceparent) {
        return traceparent != null && Entry.isTraceparent(traceparent) ? traceparent : null;
    }
}
