package io.tarpon.wire.metadata;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import java.time.Instant;

/// How far a version in work has come.
///
/// @param progressAt when it was begun, retried or planned, or the last of its shards was sealed, whichever came last
/// @param shards planned ones; 0 while it is being planned
/// @param sealedShards of these, the ones that are built
public record VersionProgress(
        DatasetName dataset, VersionId version, VersionState state, Instant progressAt, int shards, int sealedShards) {
    public VersionProgress {
        if (state.isEnd()) {
            throw new IllegalArgumentException(dataset + "/" + version + " is " + state.wireName() + ", not in work");
        }
        if (sealedShards < 0 || sealedShards > shards) {
            throw new IllegalArgumentException(sealedShards + " of " + shards + " shards are sealed");
        }
    }
}
