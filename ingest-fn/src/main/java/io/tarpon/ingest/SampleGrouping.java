package io.tarpon.ingest;

import io.tarpon.ingest.disk.RecordFile;
import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.InputCounts;
import io.tarpon.ingest.plan.KeyedHash;
import io.tarpon.ingest.plan.SplitLayout;
import io.tarpon.ingest.record.MemberRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.record.SampleRecord;
import io.tarpon.ingest.record.SampleVisitor;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.key.LeftOutReason;
import io.tarpon.wire.metadata.DatasetSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Step 3: members in order of sample key become samples. Two files for one place in a sample are noticed here, and
/// names that no tar can carry.
final class SampleGrouping {
    /// Leaves room for what else a spool record says of a sample.
    private static final int MAX_SAMPLE_BYTES = RecordFile.MAX_RECORD_BYTES - 64;

    private final SplitLayout layout;
    private final DatasetSpec spec;
    private final InputCounts counts;
    private final Report report;
    private final KeyedHash order;
    private final RecordBytes record = new RecordBytes();
    private final List<SampleRecord.Input> members = new ArrayList<>();
    private int split;
    private String sampleKey = "";
    private long namesBytes;

    SampleGrouping(SplitLayout layout, DatasetSpec spec, InputCounts counts, Report report) {
        this.layout = layout;
        this.spec = spec;
        this.counts = counts;
        this.report = report;
        this.order = KeyedHash.order(spec.seed());
    }

    /// Gives every sample, in order of split and sample key.
    ///
    /// @param sorted [MemberRecord]s in order
    void group(Records sorted, SampleVisitor samples) throws IOException, UnplannableException {
        while (sorted.next()) {
            var member = MemberRecord.read(sorted.bytes(), sorted.from(), sorted.length());
            if (member.split() != split || !member.sampleKey().equals(sampleKey)) {
                endSample(samples);
                split = member.split();
                sampleKey = member.sampleKey();
            }
            add(member);
        }
        endSample(samples);
    }

    private void add(MemberRecord member) throws SpoolException, UnplannableException {
        if (!members.isEmpty() && members.getLast().finalExtension().equals(member.finalExtension())) {
            counts.leftOut(LeftOutReason.DUPLICATE_MEMBER);
            report.leftOut(sourceKey(member.extension()), LeftOutReason.DUPLICATE_MEMBER);
            return;
        }
        members.add(
                new SampleRecord.Input(member.finalExtension(), member.extension(), member.sizeBytes(), member.etag()));
        namesBytes += member.finalExtension().length()
                + 4L * (member.extension().length() + member.etag().length());
        if (namesBytes > 4L * RecordFile.MAX_RECORD_BYTES) {
            throw tooManyFiles();
        }
    }

    private void endSample(SampleVisitor samples) throws IOException, UnplannableException {
        if (members.isEmpty()) {
            return;
        }
        var tarKey = KeyPolicy.tarKey(
                sampleKey,
                members.stream().map(SampleRecord.Input::finalExtension).toList());
        boolean renamed = !tarKey.equals(sampleKey);
        if (renamed) {
            for (var member : members) {
                report.renamed(sourceKey(member.extension()), tarKey + "." + member.finalExtension());
            }
        }
        counts.members(members.size(), renamed);
        boolean oversized = SampleRecord.tarBytes(members) >= spec.shardBytes();
        var sample = new SampleRecord(split, oversized, order.of(sampleKey), sampleKey, renamed, members);
        sample.write(record);
        if (record.length() > MAX_SAMPLE_BYTES) {
            throw tooManyFiles();
        }
        samples.visit(sample, record);
        members.clear();
        namesBytes = 0;
    }

    private String sourceKey(String extension) {
        return layout.folder(split) + sampleKey + "." + extension;
    }

    /// A key ends at the first dot: `frame.000001.png` and a hundred thousand more are one sample.
    private UnplannableException tooManyFiles() {
        return new UnplannableException("sample '" + layout.folder(split) + sampleKey + "' has " + members.size()
                + " files or more, too many for one sample: a sample key ends at the first dot of the file name, so name files"
                + " like frame-000001.png rather than frame.000001.png");
    }
}
