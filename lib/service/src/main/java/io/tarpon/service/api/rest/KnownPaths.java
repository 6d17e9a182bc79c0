package io.tarpon.service.api.rest;

import java.util.List;

/// What a service says of its paths to whoever asks for another: `datasets are listed at /v1/datasets`.
///
/// @param methods what every path takes, for `Allow`, of which the framework says nothing; none where paths differ
public record KnownPaths(String text, List<String> methods) {
    public KnownPaths {
        methods = List.copyOf(methods);
    }

    public KnownPaths(String text) {
        this(text, List.of());
    }
}
