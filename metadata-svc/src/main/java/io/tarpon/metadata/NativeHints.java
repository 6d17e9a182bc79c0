package io.tarpon.metadata;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.node.Sign;

/// What Jackson reads and writes in the log and among replicas: no endpoint mentions it, so a native image must be
/// told.
@RegisterForReflection(
        targets = {
            Entry.class,
            Change.class,
            Change.DatasetRegistered.class,
            Change.VersionBegun.class,
            Change.InputsCounted.class,
            Change.VersionPlanned.class,
            Change.ShardSealed.class,
            Change.VersionFailed.class,
            Change.VersionRemoved.class,
            Change.VersionRetried.class,
            Change.VersionCollected.class,
            Change.DatasetRemoved.class,
            Change.NodeJoined.class,
            Change.NodeLeft.class,
            Change.VersionForgotten.class,
            Change.NodeForgotten.class,
            Sign.class,
            Sign.Joined.class,
            Sign.Beat.class,
            Sign.Reading.class,
            Sign.Listening.class
        })
final class NativeHints {
    private NativeHints() {}
}
