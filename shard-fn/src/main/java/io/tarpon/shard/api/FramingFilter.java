package io.tarpon.shard.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/// Refuses requests whose length two programs could read differently, before anything else sees them.
@ApplicationScoped
public class FramingFilter {
    private static final int FIRST = Integer.MAX_VALUE;

    void register(@Observes Filters filters) {
        filters.register(FramingFilter::check, FIRST);
    }

    private static void check(RoutingContext context) {
        var headers = context.request().headers();
        var flaw = RequestFraming.flaw(
                headers.getAll("Content-Length"), headers.getAll("Transfer-Encoding"), headers.getAll("Host"));
        flaw.ifPresentOrElse(what -> refuse(context, what), context::next);
    }

    private static void refuse(RoutingContext context, String flaw) {
        var problem = new TarponException(ProblemType.BAD_PARAMETER, flaw).problem();
        var _ = context.response()
                .setStatusCode(ProblemType.BAD_PARAMETER.status())
                .putHeader("Content-Type", "application/problem+json")
                .putHeader("Cache-Control", "no-store")
                .putHeader("Connection", "close")
                .end(Buffer.buffer(Json.bytes(problem)));
        // At once, and not when the answer is sent: what follows on this connection must not be read as a request.
        var _ = context.request().connection().close();
    }
}
