package io.tarpon.store;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/// The group `tarpon.store`: where our objects are kept.
public interface StoreConfig {
    /// `directory` or `s3`.
    @WithDefault("directory")
    StorageKind kind();

    /// For kind `directory`.
    Directory directory();

    /// For kind `s3`.
    S3Config s3();

    /// The group `tarpon.store.directory`.
    interface Directory {
        /// Absolute path of the folder, made when missing; needed for kind `directory`.
        Optional<String> root();
    }
}
