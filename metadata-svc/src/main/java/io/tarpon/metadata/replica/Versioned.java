package io.tarpon.metadata.replica;

/// Something read from the image, and the revision that the image had then.
public record Versioned<T>(long revision, T value) {}
