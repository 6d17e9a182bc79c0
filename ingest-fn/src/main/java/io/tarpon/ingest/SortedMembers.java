package io.tarpon.ingest;

import io.tarpon.ingest.disk.ExternalSort;
import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.Classified;
import io.tarpon.ingest.plan.InputCounts;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.plan.SplitRule;
import io.tarpon.ingest.record.ListedRecord;
import io.tarpon.ingest.record.MemberRecord;
import io.tarpon.ingest.record.RecordBytes;

/// Step 2: every object of the listing goes into its split and sample, or into the report. For one thread.
final class SortedMembers implements AutoCloseable {
    private final SplitLayout layout;
    private final ExternalSort members;
    private boolean empty = true;

    private SortedMembers(SplitLayout layout, ExternalSort members) {
        this.layout = layout;
        this.members = members;
    }

    /// @throws SpoolException when the spool is full or broken
    static SortedMembers of(
            SourceListing listing, SplitRule rule, SpoolArea spool, long memoryBytes, InputCounts counts, Report report)
            throws SpoolException {
        var layout = SplitLayout.of(rule, listing.folders());
        var sorted = new SortedMembers(layout, new ExternalSort(spool, memoryBytes));
        try {
            sorted.fill(listing.open(), counts, report);
            return sorted;
        } catch (SpoolException | RuntimeException e) {
            sorted.close();
            throw e;
        }
    }

    SplitLayout layout() {
        return layout;
    }

    boolean isEmpty() {
        return empty;
    }

    /// [MemberRecord]s in order.
    Records open() throws SpoolException {
        return members.open();
    }

    @Override
    public void close() {
        members.close();
    }

    private void fill(Records listed, InputCounts counts, Report report) throws SpoolException {
        var record = new RecordBytes();
        while (listed.next()) {
            var object = ListedRecord.read(listed.bytes(), listed.from(), listed.length());
            counts.found();
            switch (layout.classify(object)) {
                case Classified.LeftOut(var reason) -> {
                    counts.leftOut(reason);
                    report.leftOut(object.key(), reason);
                }
                case Classified.Member(int split, var sampleKey, var extension, var finalExtension) -> {
                    new MemberRecord(split, sampleKey, finalExtension, extension, object.sizeBytes(), object.etag())
                            .write(record);
                    members.add(record.bytes(), 0, record.length());
                    empty = false;
                }
            }
        }
    }
}
