package io.tarpon.service.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/// Refuses, before anything else looks at it, a request whose length two programs could read differently, or that says
/// it has more bytes than the service takes. The connection is closed, because where its next request begins is not
/// known.
public final class FramingFilter {
    private static final int FIRST = Integer.MAX_VALUE;

    /// The digits of a long that fits for certain.
    private static final int LONG_DIGITS = 18;

    private final long maxBodyBytes;

    /// @param maxBodyBytes what a body may have, by its `Content-Length`; one without is bounded where it is read
    public FramingFilter(long maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /// To be called once, with what Quarkus hands to observers before it listens.
    public void register(Filters filters) {
        filters.register(this::check, FIRST);
    }

    private void check(RoutingContext context) {
        var headers = context.request().headers();
        var lengths = headers.getAll(HttpHeaders.CONTENT_LENGTH);
        var flaw = RequestFraming.flaw(
                lengths, headers.getAll(HttpHeaders.TRANSFER_ENCODING), headers.getAll(HttpHeaders.HOST));
        if (flaw.isPresent()) {
            ProblemAnswer.sendLast(context.request(), TarponException.badParameter(flaw.get()));
        } else if (isTooLong(lengths)) {
            ProblemAnswer.sendLast(
                    context.request(),
                    new TarponException(
                            ProblemType.PAYLOAD_TOO_LARGE,
                            "the body has " + lengths.getFirst() + " bytes, this service takes " + maxBodyBytes));
        } else {
            context.next();
        }
    }

    /// Without flaw a length is decimal digits, and may still be more than a long holds.
    private boolean isTooLong(List<String> lengths) {
        return !lengths.isEmpty()
                && (lengths.getFirst().length() > LONG_DIGITS || Long.parseLong(lengths.getFirst()) > maxBodyBytes);
    }
}
