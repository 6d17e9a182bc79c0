package io.tarpon.ingest.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/// Refuses requests whose length two programs could read differently, or that say they are too long, before
/// anything else sees them. The connection is closed, because where its next request begins is not known.
@ApplicationScoped
public class FramingFilter {
    private static final int FIRST = Integer.MAX_VALUE;

    void register(@Observes Filters filters) {
        filters.register(FramingFilter::check, FIRST);
    }

    private static void check(RoutingContext context) {
        var headers = context.request().headers();
        var lengths = headers.getAll("Content-Length");
        var flaw = RequestFraming.flaw(lengths, headers.getAll("Transfer-Encoding"), headers.getAll("Host"));
        if (flaw.isPresent()) {
            refuse(context, ProblemType.BAD_PARAMETER, flaw.get());
        } else if (!lengths.isEmpty() && tooLong(lengths.getFirst())) {
            refuse(
                    context,
                    ProblemType.PAYLOAD_TOO_LARGE,
                    "the body has more than " + UploadResource.MAX_BODY_BYTES + " bytes");
        } else {
            context.next();
        }
    }

    /// At most 19 digits, so it may still not fit a long.
    private static boolean tooLong(String length) {
        return length.length() > 18 || Long.parseLong(length) > UploadResource.MAX_BODY_BYTES;
    }

    private static void refuse(RoutingContext context, ProblemType type, String detail) {
        var _ = context.response()
                .setStatusCode(type.status())
                .putHeader("Content-Type", Problem.CONTENT_TYPE)
                .putHeader("Cache-Control", "no-store")
                .putHeader("Connection", "close")
                .end(Buffer.buffer(Json.bytes(Problem.of(type, detail))));
        // At once, and not when the answer is sent: what follows on this connection must not be read as a request.
        var _ = context.request().connection().close();
    }
}
