package io.tarpon.wire.metadata;

import io.tarpon.wire.Digests;

/// All that a replica of metadata-svc knows, for comparison: replicas of one log that have the same revision have the
/// same digest.
///
/// @param digest SHA-256 in lower-case hex
public record ReplicaDigest(long revision, String digest) {
    public ReplicaDigest {
        Digests.requireSha256("digest", digest);
    }
}
