package io.tarpon.ingest.record;

import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.key.LeftOutReason;

/// One line of the report. Sorts by source key.
@SuppressWarnings("EnumOrdinal")
public final class ReportRecord {
    private static final LeftOutReason[] REASONS = LeftOutReason.values();
    private static final int RENAMED = REASONS.length;

    private ReportRecord() {}

    public static RecordBytes leftOut(RecordBytes to, String sourceKey, LeftOutReason reason) {
        return to.clear().sorted(sourceKey).octet(reason.ordinal());
    }

    public static RecordBytes renamed(RecordBytes to, String sourceKey, String name) {
        return to.clear().sorted(sourceKey).octet(RENAMED).text(name);
    }

    public static ReportLine read(byte[] bytes, int from, int length) {
        var fields = new RecordFields(bytes, from, length);
        var sourceKey = fields.sorted();
        int what = fields.octet();
        var line = what == RENAMED
                ? ReportLine.renamed(sourceKey, fields.text())
                : ReportLine.leftOut(sourceKey, REASONS[what].wireName());
        fields.requireEnd();
        return line;
    }
}
