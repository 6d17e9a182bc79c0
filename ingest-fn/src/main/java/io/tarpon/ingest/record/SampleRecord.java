package io.tarpon.ingest.record;

import io.tarpon.wire.tar.Ustar;
import java.util.ArrayList;
import java.util.List;

/// One sample with its members in tar order. Sorts by split, samples larger than a shard last, then by its place in
/// the seeded order, then by sample key.
///
/// @param split number of the split, 0 to 255
/// @param oversized whether it is as large as a whole shard
/// @param order keyed hash of the sample key, compared as an unsigned number
/// @param renamed whether its key in the tar is not its sample key
public record SampleRecord(
        int split, boolean oversized, long order, String sampleKey, boolean renamed, List<Input> members) {

    /// One member, frozen. The split, the sample key and the extension as found give its source key.
    ///
    /// @param extension as found
    public record Input(String finalExtension, String extension, long sizeBytes, String etag) {}

    public SampleRecord {
        members = List.copyOf(members);
    }

    /// Headers, data and padding of all members, in bytes.
    public long tarBytes() {
        return tarBytes(members);
    }

    public static long tarBytes(List<Input> members) {
        long bytes = 0;
        for (var member : members) {
            bytes += Ustar.memberLength(member.sizeBytes());
        }
        return bytes;
    }

    public RecordBytes write(RecordBytes to) {
        return append(to.clear());
    }

    RecordBytes append(RecordBytes to) {
        to.octet(split).octet(oversized ? 1 : 0).fixed(order).sorted(sampleKey).octet(renamed ? 1 : 0);
        return append(to, members);
    }

    static RecordBytes append(RecordBytes to, List<Input> members) {
        to.number(members.size());
        for (var member : members) {
            boolean changed = !member.extension().equals(member.finalExtension());
            to.text(member.finalExtension())
                    .text(changed ? member.extension() : "")
                    .number(member.sizeBytes())
                    .etag(member.etag());
        }
        return to;
    }

    public static SampleRecord read(byte[] bytes, int from, int length) {
        var fields = new RecordFields(bytes, from, length);
        var sample = read(fields);
        fields.requireEnd();
        return sample;
    }

    static SampleRecord read(RecordFields fields) {
        int split = fields.octet();
        boolean oversized = fields.octet() == 1;
        long order = fields.fixed();
        var sampleKey = fields.sorted();
        boolean renamed = fields.octet() == 1;
        return new SampleRecord(split, oversized, order, sampleKey, renamed, members(fields));
    }

    static List<Input> members(RecordFields fields) {
        int count = (int) fields.number();
        var members = new ArrayList<Input>(count);
        for (int i = 0; i < count; i++) {
            members.add(input(fields));
        }
        return members;
    }

    private static Input input(RecordFields fields) {
        var finalExtension = fields.text();
        var extension = fields.text();
        return new Input(
                finalExtension, extension.isEmpty() ? finalExtension : extension, fields.number(), fields.etag());
    }
}
