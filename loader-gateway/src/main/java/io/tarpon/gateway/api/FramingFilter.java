package io.tarpon.gateway.api;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.tarpon.wire.http.RequestFraming;
import io.tarpon.wire.http.TarponException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/// Refuses requests whose end two programs could see at different places, before anything else looks at them.
@ApplicationScoped
public class FramingFilter {
    private static final int BEFORE_ALL = 1_000_000;

    void register(@Observes Filters filters) {
        filters.register(this::check, BEFORE_ALL);
    }

    private void check(RoutingContext routing) {
        var request = routing.request();
        var headers = request.headers();
        var flaw = RequestFraming.flaw(
                headers.getAll("Content-Length"), headers.getAll("Transfer-Encoding"), headers.getAll("Host"));
        if (flaw.isEmpty()) {
            routing.next();
            return;
        }
        request.response().putHeader("Connection", "close");
        Problems.answer(request, TarponException.badParameter(flaw.get()));
        var _ = request.connection().close();
    }
}
