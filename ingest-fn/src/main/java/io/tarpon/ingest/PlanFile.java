package io.tarpon.ingest;

import io.tarpon.ingest.disk.HeldBytes;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.plan.PlanHeader;
import io.tarpon.wire.plan.PlanWriter;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.security.DigestOutputStream;
import java.util.HexFormat;

/// The plan of one shard being written. It lies under a key that has its digest, so who plans the same from another
/// listing writes beside it, never over it; and it waits in scratch until that is known. Nothing is visible unless
/// [#finish] returned. For one thread.
final class PlanFile implements AutoCloseable {
    private final ObjectStore store;
    private final ShardRef ref;
    private final PlanHeader header;
    private final HeldBytes held;
    private final DigestOutputStream out;
    private final PlanWriter plan;

    /// @param header what the samples to come will add up to
    PlanFile(ObjectStore store, SpoolArea spool, ShardRef ref, PlanHeader header) throws IOException {
        this.store = store;
        this.ref = ref;
        this.header = header;
        this.held = new HeldBytes(spool);
        this.out = new DigestOutputStream(held, Digests.sha256());
        try {
            this.plan = new PlanWriter(out, header);
        } catch (IOException e) {
            held.close();
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
        var sha256 = HexFormat.of().formatHex(out.getMessageDigest().digest());
        var name = ObjectKeys.planName(sha256);
        var key = ObjectKeys.plan(ref, name);
        try (var object = new StoreOutput(store, key)) {
            held.copyTo(object);
            if (!object.complete().equals(sha256)) {
                throw new IOException("the spool gave other bytes of " + key + " than it took");
            }
        }
        return new PlannedShard(header.shard(), header.samples(), header.bytes(), sha256, null, name);
    }

    @Override
    public void close() {
        held.close();
    }
}
