package io.tarpon.metadata.api;

import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/// Refuses, before anything reads them, requests whose length two programs could read differently, and bodies that
/// say they are too large. Their connection is closed: what follows on it cannot be told apart.
public class FramingFilter {
    private static final int FIRST = Integer.MAX_VALUE;

    private final long maxBodyBytes;

    FramingFilter(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBody) {
        this.maxBodyBytes = maxBody.asLongValue();
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, FIRST);
    }

    private void check(RoutingContext context) {
        var headers = context.request().headers();
        var lengths = headers.getAll("Content-Length");
        var flaw = RequestFraming.flaw(lengths, headers.getAll("Transfer-Encoding"), headers.getAll("Host"));
        if (flaw.isPresent()) {
            refuse(context, Problem.of(ProblemType.BAD_PARAMETER, flaw.get()));
        } else if (!lengths.isEmpty() && Long.parseLong(lengths.getFirst()) > maxBodyBytes) {
            refuse(
                    context,
                    Problem.of(
                            ProblemType.PAYLOAD_TOO_LARGE,
                            "the body has " + lengths.getFirst() + " bytes, this service takes " + maxBodyBytes));
        } else {
            context.next();
        }
    }

    private static void refuse(RoutingContext context, Problem problem) {
        var _ = context.response()
                .setStatusCode(problem.status())
                .putHeader("Content-Type", Problem.CONTENT_TYPE)
                .putHeader("Cache-Control", "no-store")
                .putHeader("Connection", "close")
                .end(Buffer.buffer(Json.bytes(problem)));
        // At once, and not when the answer is sent: what follows on this connection must not be read as a request.
        var _ = context.request().connection().close();
    }
}
