package io.tarpon.metadata;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.PlanPages;
import io.tarpon.metadata.entry.PlannedPart;
import io.tarpon.metadata.image.Outbox;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.image.WindowDigest;
import io.tarpon.metadata.node.Sign;

/// What Jackson reads and writes in the log, in its view and among replicas: no endpoint mentions it, so a native image
/// must be told.
@RegisterForReflection(
        targets = {
            Entry.class,
            Change.class,
            Change.LogBegun.class,
            Change.LevelRaised.class,
            Change.DatasetRegistered.class,
            Change.VersionBegun.class,
            Change.InputsCounted.class,
            Change.PlanPaged.class,
            Change.VersionPlanned.class,
            PlanPages.class,
            PlannedPart.class,
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
            StoredImage.Format.class,
            StoredImage.Counters.class,
            StoredImage.OfDataset.class,
            StoredImage.OfVersion.class,
            StoredImage.Earlier.class,
            StoredImage.Pages.class,
            StoredImage.Growing.class,
            StoredImage.OfNode.class,
            Outbox.Kept.class,
            Sign.class,
            Sign.Joined.class,
            Sign.Beat.class,
            Sign.Reading.class,
            Sign.Listening.class,
            WindowDigest.class
        })
final class NativeHints {
    private NativeHints() {}
}
