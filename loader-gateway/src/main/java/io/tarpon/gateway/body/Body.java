package io.tarpon.gateway.body;

import java.time.Instant;
import java.util.Map;

/// A representation that can be sent: its bytes and what its headers say of them.
///
/// @param etag strong, quotes included
/// @param immutable the same bytes for good behind this URL; otherwise a cache asks each time
/// @param headers of its own, name to value
public record Body(
        String contentType,
        String etag,
        Instant lastModified,
        boolean immutable,
        Map<String, String> headers,
        Content content) {
    public Body {
        headers = Map.copyOf(headers);
        if (etag.length() < 3 || !etag.startsWith("\"") || !etag.endsWith("\"")) {
            throw new IllegalArgumentException("not a strong entity tag: " + etag);
        }
    }

    /// A body without headers of its own.
    public Body(String contentType, String etag, Instant lastModified, boolean immutable, Content content) {
        this(contentType, etag, lastModified, immutable, Map.of(), content);
    }
}
