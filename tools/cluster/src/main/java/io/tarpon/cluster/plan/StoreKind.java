package io.tarpon.cluster.plan;

import java.util.Locale;

/// Where a local cluster keeps its objects: in a folder, or on a local S3 server.
public enum StoreKind {
    DIRECTORY,
    S3;

    /// As people write it: `s3`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
