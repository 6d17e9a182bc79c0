package io.tarpon.shard;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.util.Objects;

/// How metadata-svc sees a planned shard at this moment, with all that its log had when it was asked: a replica that is
/// behind may not know yet that the version was tried again, and the message would be dropped for it.
sealed interface Standing {
    /// It is wanted and not there yet.
    ///
    /// @param planDigest of its version's plan
    record Wanted(String planDigest) implements Standing {}

    /// It is there.
    record There(SealShard seal) implements Standing {}

    /// Its version is being planned. Messages come after the plan, so this one is of an earlier try.
    record BeingPlanned() implements Standing {}

    /// Its version is not built any more, or never was.
    record Unwanted(String why) implements Standing {}

    /// @throws DeadShardException where the shard, or this plan of it, was never planned
    /// @throws TarponException what metadata-svc refuses
    static Standing of(ShardPlanned planned, MetadataClient client) throws IOException, DeadShardException {
        var metadata = client.upToDate();
        VersionRecord version;
        try {
            version = metadata.version(planned.dataset(), planned.version());
        } catch (TarponException e) {
            return switch (e.type()) {
                case UNKNOWN_DATASET, UNKNOWN_VERSION, VERSION_REMOVED -> new Unwanted(e.detail());
                case null, default -> throw e;
            };
        }
        return switch (version.state()) {
            case FAILED, REMOVED -> new Unwanted("version is " + version.state().wireName());
            case PLANNING -> new BeingPlanned();
            case BUILDING, SEALED -> ofShard(planned, version, metadata);
        };
    }

    private static Standing ofShard(ShardPlanned planned, VersionRecord version, MetadataClient metadata)
            throws IOException, DeadShardException {
        try {
            var shard = metadata.shard(planned.ref());
            if (!shard.planSha256().equals(planned.plan().sha256())) {
                throw new DeadShardException(
                        DeadReason.NOT_PLANNED,
                        "shard " + planned.ref() + " was planned with plan " + shard.planSha256() + ", the message has "
                                + planned.plan().sha256()
                                + "; nothing is lost if the version was planned anew since");
            }
            if (shard.seal() != null) {
                return new There(shard.seal());
            }
            return new Wanted(Objects.requireNonNull(version.planDigest(), "what is built has a plan"));
        } catch (TarponException e) {
            if (e.type() == ProblemType.UNKNOWN_SPLIT || e.type() == ProblemType.UNKNOWN_SHARD) {
                throw new DeadShardException(DeadReason.NOT_PLANNED, e.detail(), e);
            }
            throw e;
        }
    }
}
