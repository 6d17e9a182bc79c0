package io.tarpon.gateway.api;

import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.Optional;

/// The base of URLs in answers: as configured, or as the client reached us.
public final class PublicUrl {
    private static final String SCHEME = "http://";

    private final Optional<String> configured;

    /// @param configured `http://host:port`, with or without a slash at its end
    public PublicUrl(Optional<String> configured) {
        this.configured = configured.map(url -> url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
    }

    /// The host and port that the client asked: of the target where that is a whole URL, whatever Host says (RFC 9112,
    /// section 3.2.2), else Host; empty where it gave none.
    static String authority(HttpServerRequest request) {
        var target = request.uri();
        if (target.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            var end = SCHEME.length();
            while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
                end++;
            }
            return target.substring(SCHEME.length(), end);
        }
        return Objects.requireNonNullElse(request.getHeader("Host"), "");
    }

    /// The base, without a slash at its end. What the client asked was looked at before ([Requests]).
    String base(HttpServerRequest request) {
        if (configured.isPresent()) {
            return configured.get();
        }
        var host = authority(request);
        if (host.isEmpty()) {
            var local = Objects.requireNonNull(request.localAddress());
            return "http://" + local.hostAddress() + ":" + local.port();
        }
        return SCHEME + host;
    }
}
