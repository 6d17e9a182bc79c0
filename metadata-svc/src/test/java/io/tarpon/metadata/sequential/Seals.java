package io.tarpon.metadata.sequential;

import io.tarpon.metadata.image.SealShard;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.VersionState;

/// The seal of one shard, of a plan that it fits.
final class Seals {
    private Seals() {}

    static Step<KnownVersion> seal(KnownVersion version, SealShard seal) {
        if (version.state() == VersionState.PLANNING) {
            return new Step.Refusal<>(ProblemType.CONFLICT);
        }
        if (version.splits().isEmpty()) {
            return DatasetModel.ended(version);
        }
        var shards = version.splits().get(seal.ref().split());
        if (shards == null) {
            return new Step.Refusal<>(ProblemType.UNKNOWN_SPLIT);
        }
        if (version.collected()) {
            return DatasetModel.ended(version);
        }
        var index = seal.ref().shard().index();
        if (index >= shards.size()) {
            return new Step.Refusal<>(ProblemType.UNKNOWN_SHARD);
        }
        var content = shards.get(index).content();
        if (content != null) {
            return content.equals(seal.seal().sha256())
                    ? new Step.Nothing<>()
                    : new Step.Refusal<>(ProblemType.CONFLICT);
        }
        return version.state() == VersionState.BUILDING
                ? new Step.To<>(
                        version.sealed(seal.ref().split(), index, seal.seal().sha256()))
                : DatasetModel.ended(version);
    }
}
