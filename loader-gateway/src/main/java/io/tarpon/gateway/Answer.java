package io.tarpon.gateway;

import io.tarpon.gateway.body.Body;

/// What a URL of bytes leads to.
public sealed interface Answer {
    /// Another URL: `latest` was asked for.
    ///
    /// @param path absolute, with its query
    record Elsewhere(String path) implements Answer {}

    /// @param version whose bytes it is, `demo/v1`
    record Here(Body body, String version) implements Answer {}
}
