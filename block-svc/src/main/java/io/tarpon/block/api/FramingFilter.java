package io.tarpon.block.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/// Refuses, before anything else looks at it, a request whose length two programs could read differently.
@ApplicationScoped
public class FramingFilter {
    private static final int FIRST = 10_000;

    void register(@Observes Filters filters) {
        filters.register(FramingFilter::filter, FIRST);
    }

    private static void filter(RoutingContext context) {
        var headers = context.request().headers();
        var flaw = RequestFraming.flaw(
                headers.getAll(HttpHeaders.CONTENT_LENGTH),
                headers.getAll(HttpHeaders.TRANSFER_ENCODING),
                headers.getAll(HttpHeaders.HOST));
        if (flaw.isEmpty()) {
            context.next();
            return;
        }
        context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        Problems.answer(context, TarponException.badParameter(flaw.get()));
        // The header alone closes nothing here; what follows on this connection must not be read as a request.
        var _ = context.request().connection().close();
    }
}
