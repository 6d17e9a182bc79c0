package io.tarpon.ingest.record;

/// One input that can become a member. Sorts by split, sample key, final extension and source key: members of one
/// sample follow each other in tar order, and of two for one place the first in byte order comes first.
///
/// @param split number of the split, 0 to 255
/// @param extension as found; with the sample key, and the split's folder before it, it gives the source key
public record MemberRecord(
        int split, String sampleKey, String finalExtension, String extension, long sizeBytes, String etag) {

    public RecordBytes write(RecordBytes to) {
        return to.clear()
                .octet(split)
                .sorted(sampleKey)
                .sorted(finalExtension)
                .sorted(extension)
                .number(sizeBytes)
                .etag(etag);
    }

    public static MemberRecord read(byte[] bytes, int from, int length) {
        var fields = new RecordFields(bytes, from, length);
        var member = new MemberRecord(
                fields.octet(), fields.sorted(), fields.sorted(), fields.sorted(), fields.number(), fields.etag());
        fields.requireEnd();
        return member;
    }
}
