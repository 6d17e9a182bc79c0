package io.tarpon.ingest.growth;

import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.record.ParentRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.record.SampleRecord;
import io.tarpon.ingest.record.SampleVisitor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The samples of a listing beside those of the parent, both in order of split and sample key: one pass says which are
/// as they were, which changed, which are gone and which are new. A sample is as it was when its members have the
/// source keys, extensions, sizes and ETags that they had. For one thread.
public final class GrowthJoin implements SampleVisitor {
    private final Records parents;
    private final ShardChanges changes;
    private final SampleVisitor fresh;
    private @Nullable ParentRecord parent;

    /// @param parents [ParentRecord]s
    /// @param fresh takes the samples that the parent does not have
    public GrowthJoin(Records parents, ShardChanges changes, SampleVisitor fresh) throws SpoolException {
        this.parents = parents;
        this.changes = changes;
        this.fresh = fresh;
        this.parent = next();
    }

    @Override
    public void visit(SampleRecord sample, RecordBytes written) throws IOException {
        var was = parent;
        while (was != null && was.compareTo(sample) < 0) {
            changes.gone(was);
            was = next();
        }
        parent = was;
        if (was == null || was.compareTo(sample) > 0) {
            fresh.visit(sample, written);
            return;
        }
        if (!was.members().equals(sample.members())) {
            changes.changed(was, sample);
        }
        parent = next();
    }

    /// After the last sample: what the parent has beyond it is gone.
    public void finish() throws SpoolException {
        for (var was = parent; was != null; was = next()) {
            changes.gone(was);
        }
        parent = null;
    }

    private @Nullable ParentRecord next() throws SpoolException {
        return parents.next() ? ParentRecord.read(parents.bytes(), parents.from(), parents.length()) : null;
    }
}
