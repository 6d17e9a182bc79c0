package io.tarpon.gateway.flow;

import io.netty.util.concurrent.EventExecutor;
import io.tarpon.store.ObjectStore;
import java.util.concurrent.Executor;

/// The object store as the last place to have a block from.
public final class StoreBlocks {
    private final ObjectStore store;
    private final Executor workers;
    private final Traffic traffic;

    /// @param workers block on the object store
    public StoreBlocks(ObjectStore store, Executor workers, Traffic traffic) {
        this.store = store;
        this.workers = workers;
        this.traffic = traffic;
    }

    /// The store for a response on this event loop.
    public BlockSource source(EventExecutor loop) {
        return (piece, wake) -> new StoreBytes(store, workers, loop, piece, traffic.readBytes(), wake);
    }
}
