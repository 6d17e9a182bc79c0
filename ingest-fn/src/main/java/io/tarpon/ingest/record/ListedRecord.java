package io.tarpon.ingest.record;

import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceObject.Kind;

/// One object of a listing, in the order of the listing. Ordinals serve as codes: a spool is read by the process
/// that wrote it.
@SuppressWarnings("EnumOrdinal")
public final class ListedRecord {
    private static final Kind[] KINDS = Kind.values();

    private ListedRecord() {}

    public static RecordBytes write(RecordBytes to, SourceObject object) {
        return to.clear()
                .octet(object.kind().ordinal())
                .number(object.sizeBytes())
                .text(object.key())
                .etag(object.etag());
    }

    public static SourceObject read(byte[] bytes, int from, int length) {
        var fields = new RecordFields(bytes, from, length);
        var kind = KINDS[fields.octet()];
        long sizeBytes = fields.number();
        var object = new SourceObject(fields.text(), sizeBytes, fields.etag(), kind);
        fields.requireEnd();
        return object;
    }
}
