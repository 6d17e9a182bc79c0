package io.tarpon.ingest.disk;

import java.util.ArrayList;
import java.util.List;

/// Sorts any number of records by their unsigned bytes in bounded memory: what memory does not hold goes to the
/// spool in sorted runs, which are merged, a bounded number at a time. For one thread. Add, then read as often
/// as wanted, then close.
public final class ExternalSort implements AutoCloseable {
    /// Runs merged at a time: bounds the read buffers (64 KiB each) and the open files.
    private static final int FAN_IN = 32;

    private final SpoolArea area;
    private final long memoryBytes;
    private final List<RecordFile> runs = new ArrayList<>();
    private SortBuffer buffer;
    private boolean finished;

    /// @param memoryBytes for the records held in memory; merging takes at most 2 MiB more
    public ExternalSort(SpoolArea area, long memoryBytes) {
        this.area = area;
        this.memoryBytes = memoryBytes;
        this.buffer = new SortBuffer(memoryBytes);
    }

    public void add(byte[] bytes, int from, int length) throws SpoolException {
        RecordFile.requireRecord(length);
        if (finished) {
            throw new IllegalStateException("a sort that was read takes no more records");
        }
        if (!buffer.add(bytes, from, length)) {
            spill();
            buffer.add(bytes, from, length);
        }
    }

    /// All records in order, from the first. To be called as often as wanted, for one reader after the other.
    public Records open() throws SpoolException {
        if (!finished) {
            finish();
        }
        return runs.isEmpty() ? buffer.open() : merged(runs);
    }

    @Override
    public void close() {
        runs.forEach(RecordFile::close);
        runs.clear();
        buffer = new SortBuffer(0);
    }

    private void finish() throws SpoolException {
        finished = true;
        if (runs.isEmpty()) {
            buffer.sort();
            return;
        }
        spill();
        while (runs.size() > FAN_IN) {
            mergeOldest();
        }
    }

    /// Frees the buffer before anything else takes memory.
    private void spill() throws SpoolException {
        if (buffer.count() == 0) {
            return;
        }
        buffer.sort();
        runs.add(written(buffer.open()));
        buffer = new SortBuffer(finished ? 0 : memoryBytes);
    }

    /// Merges as many of the oldest runs as are needed, so that each record is merged about equally often.
    private void mergeOldest() throws SpoolException {
        var oldest = List.copyOf(runs.subList(0, Math.min(FAN_IN, runs.size() - FAN_IN + 1)));
        runs.add(written(merged(oldest)));
        oldest.forEach(RecordFile::close);
        runs.removeAll(oldest);
    }

    private static Records merged(List<RecordFile> files) throws SpoolException {
        return new MergedRecords(files.stream().map(RecordFile::open).toList());
    }

    private RecordFile written(Records records) throws SpoolException {
        var run = new RecordFile(area);
        try {
            while (records.next()) {
                run.add(records.bytes(), records.from(), records.length());
            }
            return run.finish();
        } catch (SpoolException e) {
            run.close();
            throw e;
        }
    }
}
