package io.tarpon.gateway.body;

import io.tarpon.gateway.order.EpochPart;
import org.jspecify.annotations.Nullable;

/// What a URL of bytes leads to.
public sealed interface Answer {
    /// Another URL: `latest` was asked for.
    ///
    /// @param path absolute, with its query
    record Elsewhere(String path) implements Answer {}

    /// @param version whose bytes it is, `demo/v1`
    /// @param part of an epoch that it is; null where it is none
    record Here(Body body, String version, @Nullable EpochPart part) implements Answer {
        public Here(Body body, String version) {
            this(body, version, null);
        }
    }
}
