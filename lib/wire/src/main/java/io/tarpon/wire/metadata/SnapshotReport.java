package io.tarpon.wire.metadata;

import io.tarpon.wire.Digests;

/// A snapshot of metadata-svc's view that was written.
///
/// @param name its key in the object store, below the store's root
/// @param revision how many entries of the log are in it
/// @param entries keys with their values in it, from 1
/// @param bytes its length
/// @param sha256 of all its bytes, in lower-case hex
public record SnapshotReport(String name, long revision, long entries, long bytes, String sha256) {
    public SnapshotReport {
        if (name.isEmpty() || revision < 1 || entries < 1 || bytes < 1) {
            throw new IllegalArgumentException("not a snapshot: name=" + name + " revision=" + revision + " entries="
                    + entries + " bytes=" + bytes);
        }
        Digests.requireSha256("sha256", sha256);
    }
}
