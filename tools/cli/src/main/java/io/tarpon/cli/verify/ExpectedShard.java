package io.tarpon.cli.verify;

import org.jspecify.annotations.Nullable;

/// What the manifest says of a shard.
///
/// @param place `train/shard-000000`, for messages
public record ExpectedShard(
        String place,
        long samples,
        long bytes,
        @Nullable String sha256,
        @Nullable String crc32c) {}
