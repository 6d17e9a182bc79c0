package io.tarpon.ingest;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.record.ReportRecord;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.key.LeftOutReason;
import java.io.IOException;

/// What is said of inputs that were left out or renamed: collected in any order, written in order of source key.
final class Report implements AutoCloseable {
    private final ExternalSort lines;
    private final RecordBytes record = new RecordBytes();

    Report(SpoolArea spool, long memoryBytes) {
        this.lines = new ExternalSort(spool, memoryBytes);
    }

    void leftOut(String sourceKey, LeftOutReason reason) throws SpoolException {
        add(ReportRecord.leftOut(record, sourceKey, reason));
    }

    void renamed(String sourceKey, String name) throws SpoolException {
        add(ReportRecord.renamed(record, sourceKey, name));
    }

    /// One JSON line each. An earlier report of that key is replaced.
    void write(ObjectStore store, String key) throws IOException {
        try (var out = new StoreOutput(store, key)) {
            var sorted = lines.open();
            while (sorted.next()) {
                out.write(Json.bytes(ReportRecord.read(sorted.bytes(), sorted.from(), sorted.length())));
                out.write('\n');
            }
            out.complete();
        }
    }

    @Override
    public void close() {
        lines.close();
    }

    private void add(RecordBytes line) throws SpoolException {
        lines.add(line.bytes(), 0, line.length());
    }
}
