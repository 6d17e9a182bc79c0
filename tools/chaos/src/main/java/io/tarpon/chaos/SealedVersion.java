package io.tarpon.chaos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// A sealed version as its readers know it.
///
/// @param contents SHA-256 by name of every file that its source held when it was made
/// @param removed set before it is removed: from then on it may be gone
record SealedVersion(
        String dataset, String version, List<Shard> shards, Map<String, String> contents, AtomicBoolean removed) {
    SealedVersion {
        shards = List.copyOf(shards);
    }

    /// @param url below the gateway
    record Shard(String split, String name, String url, long bytes, String sha256) {}

    String name() {
        return dataset + "@" + version;
    }
}
