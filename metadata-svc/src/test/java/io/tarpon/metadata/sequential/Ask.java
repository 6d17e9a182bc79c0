package io.tarpon.metadata.sequential;

import io.tarpon.metadata.image.Command;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;

/// What a client asks.
public sealed interface Ask {

    record Do(Command<?> command) implements Ask {}

    record SeeDataset(DatasetName dataset) implements Ask {}

    record SeeShards(DatasetName dataset) implements Ask {}

    record SeeVersion(DatasetName dataset, VersionId version) implements Ask {}

    record SeeShard(ShardRef shard) implements Ask {}

    record SeeNode(String node) implements Ask {}
}
