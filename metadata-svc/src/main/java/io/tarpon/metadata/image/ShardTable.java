package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import org.jspecify.annotations.Nullable;

/// The shards of one plan of one version in the store of the image. A version that is planned again has another
/// table, so that nothing is moved.
final class ShardTable {
    private final ImageStore store;
    private final DatasetName dataset;
    private final long begun;
    private final int plan;

    /// @param begun the revision that began the version
    /// @param plan which plan of the version, counted from 0
    ShardTable(ImageStore store, DatasetName dataset, long begun, int plan) {
        this.store = store;
        this.dataset = dataset;
        this.begun = begun;
        this.plan = plan;
    }

    int plan() {
        return plan;
    }

    /// Null where it was never put, or is dropped.
    @Nullable
    Shard get(int split, int index) {
        var bytes = store.get(StoreKeys.shard(begun, plan, split, index));
        return bytes == null ? null : Shard.decode(dataset, bytes);
    }

    void put(int split, int index, Shard shard) {
        store.put(StoreKeys.shard(begun, plan, split, index), shard.encode());
    }

    /// Visits the shards of one split from number `from` on, in order, until the visitor has enough.
    void scan(int split, int from, Visitor visitor) {
        store.scan(
                StoreKeys.shard(begun, plan, split, from),
                StoreKeys.shard(begun, plan, split + 1, 0),
                (key, value) -> visitor.visit(StoreKeys.shardIndex(key), Shard.decode(dataset, value)));
    }

    /// Forgets all of them.
    void drop() {
        store.deleteAll(StoreKeys.shard(begun, plan, 0, 0), StoreKeys.shard(begun, plan + 1, 0, 0));
    }

    /// One shard and its number in its split.
    interface Visitor {
        /// Returns whether to go on.
        boolean visit(int index, Shard shard);
    }
}
