package io.tarpon.service.api.rest;

/// What a service says of its paths to whoever asks for another: `datasets are listed at /v1/datasets`.
public record KnownPaths(String text) {}
