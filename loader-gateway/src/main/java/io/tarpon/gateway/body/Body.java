package io.tarpon.gateway.body;

import java.time.Instant;

/// A representation that can be sent: its bytes and what its headers say of them.
///
/// @param etag strong, quotes included
/// @param immutable the same bytes for good behind this URL; otherwise a cache asks each time
public record Body(String contentType, String etag, Instant lastModified, boolean immutable, Content content) {
    public Body {
        if (etag.length() < 3 || !etag.startsWith("\"") || !etag.endsWith("\"")) {
            throw new IllegalArgumentException("not a strong entity tag: " + etag);
        }
    }
}
