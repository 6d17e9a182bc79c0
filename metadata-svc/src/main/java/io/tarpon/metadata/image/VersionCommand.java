package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.VersionRecord;

/// A command on the life of one version, answered with what the version is then.
public sealed interface VersionCommand extends Command<VersionRecord>
        permits PlanVersion, FailVersion, RetryVersion, RemoveVersion, ExpireVersion, CollectVersion {
    DatasetName dataset();

    VersionId version();

    @Override
    default String scope() {
        return new Entity.Life(dataset(), version()).toString();
    }

    @Override
    default VersionRecord answer(Image image) {
        return image.version(dataset(), version()).record();
    }
}
