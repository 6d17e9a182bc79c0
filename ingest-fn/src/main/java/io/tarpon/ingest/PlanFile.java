package io.tarpon.ingest;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlanWriter;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;

/// The plan of one shard being written. Nothing is visible unless [#finish] returned. For one thread.
final class PlanFile implements AutoCloseable {
    private final PlanHeader header;
    private final StoreOutput out;
    private final PlanWriter plan;

    /// @param header what the samples to come will add up to
    PlanFile(ObjectStore store, ShardRef ref, PlanHeader header) throws IOException {
        this.header = header;
        this.out = new StoreOutput(store, ObjectKeys.plan(ref));
        try {
            this.plan = new PlanWriter(out, header);
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }

    void add(PlannedSample sample) throws IOException {
        plan.add(sample);
    }

    /// Afterwards the plan is in the store.
    ///
    /// @throws IllegalStateException where the samples are not what the header says
    PlannedShard finish() throws IOException {
        plan.finish();
        return new PlannedShard(header.shard(), header.samples(), header.bytes(), out.complete());
    }

    @Override
    public void close() {
        out.close();
    }
}
