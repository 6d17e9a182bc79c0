package io.tarpon.wire.event;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import java.util.Map;

/// What Tarpon says on its topics (contracts section 5). Each record is the `data` of one CloudEvent; `revision` is the
/// number of the metadata entry that made the change.
public sealed interface TarponEvent {
    DatasetName dataset();

    VersionId version();

    /// The CloudEvent's `type`.
    @JsonIgnore
    String type();

    /// The CloudEvent's `subject`.
    @JsonIgnore
    default String subject() {
        return dataset() + "/" + version();
    }

    /// About one shard of a version.
    sealed interface OfShard extends TarponEvent {
        SplitName split();

        ShardName shard();

        @JsonIgnore
        default ShardRef ref() {
            return new ShardRef(dataset(), version(), split(), shard());
        }

        @Override
        default String subject() {
            return ref().path();
        }
    }

    /// On `tarpon.plans`: one shard is to be built.
    record ShardPlanned(
            DatasetName dataset,
            VersionId version,
            SplitName split,
            ShardName shard,
            long samples,
            long bytes,
            PlanLink plan)
            implements OfShard {
        public static final String TYPE = "tarpon.shard.planned.v1";

        @Override
        public String type() {
            return TYPE;
        }
    }

    /// A version's plan is frozen and its shards are being built.
    record VersionPlanned(DatasetName dataset, VersionId version, long revision, long samples, long bytes)
            implements TarponEvent {
        public static final String TYPE = "tarpon.version.planned.v1";

        @Override
        public String type() {
            return TYPE;
        }
    }

    /// One shard is in the object store, whole.
    record ShardSealed(
            DatasetName dataset,
            VersionId version,
            SplitName split,
            ShardName shard,
            long revision,
            long samples,
            long bytes,
            String sha256,
            String crc32c)
            implements OfShard {
        public static final String TYPE = "tarpon.shard.sealed.v1";

        @Override
        public String type() {
            return TYPE;
        }
    }

    /// A version is complete and visible to loaders.
    record VersionSealed(DatasetName dataset, VersionId version, long revision, long samples, long bytes)
            implements TarponEvent {
        public static final String TYPE = "tarpon.version.sealed.v1";

        @Override
        public String type() {
            return TYPE;
        }
    }

    /// A version cannot be built.
    record VersionFailed(DatasetName dataset, VersionId version, long revision, String reason) implements TarponEvent {
        public static final String TYPE = "tarpon.version.failed.v1";

        @Override
        public String type() {
            return TYPE;
        }
    }

    /// A version is gone.
    record VersionRemoved(DatasetName dataset, VersionId version, long revision, String reason) implements TarponEvent {
        public static final String TYPE = "tarpon.version.removed.v1";

        @Override
        public String type() {
            return TYPE;
        }
    }

    /// Every kind by its `type`, for decoders and tests.
    Map<String, Class<? extends TarponEvent>> KINDS = Map.of(
            ShardPlanned.TYPE, ShardPlanned.class,
            VersionPlanned.TYPE, VersionPlanned.class,
            ShardSealed.TYPE, ShardSealed.class,
            VersionSealed.TYPE, VersionSealed.class,
            VersionFailed.TYPE, VersionFailed.class,
            VersionRemoved.TYPE, VersionRemoved.class);
}
