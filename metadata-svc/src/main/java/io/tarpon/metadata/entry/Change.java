package io.tarpon.metadata.entry;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.SealShard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One decided record of an entry: what is to become true, not what was asked, so that a later change of the
/// deciding code cannot re-interpret an old log. `kind` is its name in the log, for good.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Change.LogBegun.class, name = "log-begun"),
    @JsonSubTypes.Type(value = Change.LevelRaised.class, name = "level-raised"),
    @JsonSubTypes.Type(value = Change.DatasetRegistered.class, name = "dataset-registered"),
    @JsonSubTypes.Type(value = Change.VersionBegun.class, name = "version-begun"),
    @JsonSubTypes.Type(value = Change.InputsCounted.class, name = "inputs-counted"),
    @JsonSubTypes.Type(value = Change.PlanPaged.class, name = "plan-paged"),
    @JsonSubTypes.Type(value = Change.VersionPlanned.class, name = "version-planned"),
    @JsonSubTypes.Type(value = Change.ShardSealed.class, name = "shard-sealed"),
    @JsonSubTypes.Type(value = Change.VersionFailed.class, name = "version-failed"),
    @JsonSubTypes.Type(value = Change.VersionRemoved.class, name = "version-removed"),
    @JsonSubTypes.Type(value = Change.VersionRetried.class, name = "version-retried"),
    @JsonSubTypes.Type(value = Change.VersionCollected.class, name = "version-collected"),
    @JsonSubTypes.Type(value = Change.DatasetRemoved.class, name = "dataset-removed"),
    @JsonSubTypes.Type(value = Change.NodeJoined.class, name = "node-joined"),
    @JsonSubTypes.Type(value = Change.NodeLeft.class, name = "node-left"),
    @JsonSubTypes.Type(value = Change.VersionForgotten.class, name = "version-forgotten"),
    @JsonSubTypes.Type(value = Change.NodeForgotten.class, name = "node-forgotten"),
})
public sealed interface Change {

    /// The log is this one, for good: 128 random bits in lower-case hex. Every later entry names it.
    record LogBegun(String id) implements Change {
        public LogBegun {
            Entry.requireLogId(id);
        }
    }

    /// From here on entries may be written in every format up to this one. A replica that cannot read it stops here.
    record LevelRaised(int level) implements Change {}

    /// The dataset has this specification from now on.
    record DatasetRegistered(DatasetName dataset, DatasetSpec spec) implements Change {}

    /// The version has its number and is being planned; `parent` is the sealed version that it grows from, null where
    /// it does not.
    record VersionBegun(
            DatasetName dataset,
            VersionId version,
            String requestId,
            DatasetSpec spec,
            @Nullable VersionId parent) implements Change {}

    /// The version's listing is done: what became of every input, and the digest of the plan.
    record InputsCounted(DatasetName dataset, VersionId version, String planDigest, Inputs inputs) implements Change {}

    /// One page of a plan is set aside, for the record that makes all of them the plan. Nobody sees anything of it
    /// before. `number` counts from 1.
    record PlanPaged(DatasetName dataset, VersionId version, PlanPages pages, int number, List<PlannedPart> splits)
            implements Change {
        public PlanPaged {
            splits = List.copyOf(splits);
            if (number < 1 || number > pages.count() || splits.isEmpty()) {
                throw new IllegalArgumentException("page " + number + " of " + pages.count() + " of the plan of "
                        + dataset + "/" + version + ", with parts of " + splits.size() + " splits");
            }
        }
    }

    /// The version's shards are known and being built. Those that are kept are sealed as the parent's are. They are
    /// in `splits`, or, where there are too many for one entry, in the pages before it, and then `splits` is empty.
    record VersionPlanned(
            DatasetName dataset,
            VersionId version,
            List<PlannedSplit> splits,
            @Nullable PlanPages pages) implements Change {
        public VersionPlanned {
            splits = List.copyOf(splits);
            if (pages != null && !splits.isEmpty()) {
                throw new IllegalArgumentException(
                        "the plan of " + dataset + "/" + version + " is in pages and in its last entry too");
            }
        }

        public VersionPlanned(DatasetName dataset, VersionId version, List<PlannedSplit> splits) {
            this(dataset, version, splits, null);
        }
    }

    /// One shard is in the object store. The last planned one seals its version, in replay.
    record ShardSealed(DatasetName dataset, VersionId version, SplitName split, ShardName shard, SealShard seal)
            implements Change {
        public static ShardSealed of(ShardRef ref, SealShard seal) {
            return new ShardSealed(ref.dataset(), ref.version(), ref.split(), ref.shard(), seal);
        }

        public ShardRef ref() {
            return new ShardRef(dataset, version, split, shard);
        }
    }

    /// The version will not be sealed, unless it is retried.
    record VersionFailed(DatasetName dataset, VersionId version, String reason) implements Change {}

    /// The version is gone; `sameAs` is the one that holds what it would have held, null where there is none.
    record VersionRemoved(
            DatasetName dataset,
            VersionId version,
            String reason,
            @Nullable VersionId sameAs) implements Change {}

    /// The failed version is being planned again, growing from `parent`; its sealed shards are remembered.
    record VersionRetried(
            DatasetName dataset,
            VersionId version,
            @Nullable VersionId parent) implements Change {}

    /// Nothing of the removed version is left in the store or on the nodes, so nothing of its shards is known any more.
    record VersionCollected(DatasetName dataset, VersionId version) implements Change {}

    /// The dataset has no specification any more. Its versions are removed by records of their own.
    record DatasetRemoved(DatasetName dataset) implements Change {}

    /// The node belongs to the cluster, as registered; `incarnation` says which process it is, null where it did not.
    record NodeJoined(
            String node,
            NodeRegistration registration,
            @Nullable String incarnation) implements Change {}

    /// The node does not belong to the cluster any more.
    record NodeLeft(String node) implements Change {}

    /// The collected version and the request that began it are not known any more. Its number stays used up.
    record VersionForgotten(DatasetName dataset, VersionId version) implements Change {}

    /// The node that left is not known any more.
    record NodeForgotten(String node) implements Change {}
}
