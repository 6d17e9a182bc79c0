package io.tarpon.ingest;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.ShardCount;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.record.SampleRecord;
import io.tarpon.ingest.record.SampleVisitor;
import java.util.ArrayList;
import java.util.List;

/// Samples that go into new shards, sorted into the seeded order of their split, and what they add up to. For one
/// thread.
final class SampleOrder implements SampleVisitor, AutoCloseable {
    private final ExternalSort samples;
    private final List<ShardCount.Load> loads = new ArrayList<>();

    SampleOrder(SpoolArea spool, long memoryBytes) {
        this.samples = new ExternalSort(spool, memoryBytes);
    }

    @Override
    public void visit(SampleRecord sample, RecordBytes written) throws SpoolException {
        samples.add(written.bytes(), 0, written.length());
        while (loads.size() <= sample.split()) {
            loads.add(ShardCount.Load.NONE);
        }
        loads.set(sample.split(), loads.get(sample.split()).plus(sample.tarBytes(), sample.oversized()));
    }

    boolean isEmpty() {
        return loads.isEmpty();
    }

    ShardCount.Load load(int split) {
        return split < loads.size() ? loads.get(split) : ShardCount.Load.NONE;
    }

    /// [SampleRecord]s in order, from the first, for one reader after the other.
    Records open() throws SpoolException {
        return samples.open();
    }

    @Override
    public void close() {
        samples.close();
    }
}
