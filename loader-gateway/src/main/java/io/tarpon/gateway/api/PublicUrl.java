package io.tarpon.gateway.api;

import io.tarpon.wire.http.TarponException;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/// The base of URLs in answers: as configured, or as the client reached us.
public final class PublicUrl {
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9._-]+(:[0-9]{1,5})?|\\[[0-9A-Fa-f:.]+](:[0-9]{1,5})?");

    private final Optional<String> configured;

    /// @param configured `http://host:port`, with or without a slash at its end
    public PublicUrl(Optional<String> configured) {
        this.configured = configured.map(url -> url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
    }

    /// The base, without a slash at its end.
    String base(HttpServerRequest request) {
        if (configured.isPresent()) {
            return configured.get();
        }
        var host = request.getHeader("Host");
        if (host == null || host.isEmpty()) {
            var local = Objects.requireNonNull(request.localAddress());
            return "http://" + local.hostAddress() + ":" + local.port();
        }
        if (!HOST.matcher(host).matches()) {
            throw TarponException.badParameter("the Host header is not a host and a port");
        }
        return "http://" + host;
    }
}
