package io.tarpon.store;

/// Which adapter serves a store or a source.
public enum StorageKind {
    /// A local folder.
    DIRECTORY,
    /// A bucket, or a part of one, behind the S3 protocol.
    S3
}
