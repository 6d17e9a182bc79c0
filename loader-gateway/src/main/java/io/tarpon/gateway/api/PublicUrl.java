package io.tarpon.gateway.api;

import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.Optional;

/// The base of URLs in answers: as configured, or as the client reached us.
public final class PublicUrl {
    private final Optional<String> configured;

    /// @param configured `http://host:port`, with or without a slash at its end
    public PublicUrl(Optional<String> configured) {
        this.configured = configured.map(url -> url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
    }

    /// The base, without a slash at its end. The request's Host was looked at before ([Requests]).
    String base(HttpServerRequest request) {
        if (configured.isPresent()) {
            return configured.get();
        }
        var host = request.getHeader("Host");
        if (host == null || host.isEmpty()) {
            var local = Objects.requireNonNull(request.localAddress());
            return "http://" + local.hostAddress() + ":" + local.port();
        }
        return "http://" + host;
    }
}
