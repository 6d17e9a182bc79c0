package io.tarpon.block;

import io.tarpon.store.ObjectStore;
import java.io.IOException;
import java.io.InputStream;

/// The bytes of blocks inside the shards that the object store holds.
public final class ShardBytes {
    private final ObjectStore store;

    public ShardBytes(ObjectStore store) {
        this.store = store;
    }

    /// The block's bytes from `from` to its end.
    InputStream open(BlockPlan plan, long from) throws IOException {
        return store.open(plan.tarKey(), plan.shardOffset() + from, plan.length() - from);
    }
}
