package io.tarpon.store;

import java.util.Optional;

/// The group `tarpon.sources.<id>`: one place that raw data may come from.
public interface SourceConfig extends S3Config {
    /// `directory` or `s3`.
    StorageKind kind();

    /// Absolute path of the folder; needed for kind `directory`.
    Optional<String> root();
}
