package io.tarpon.ingest.record;

import io.tarpon.ingest.record.SampleRecord.Input;
import io.tarpon.wire.key.KeyOrder;
import java.util.List;

/// One sample of the version that is grown from, and where it stands there. Sorts by split and sample key, as the
/// samples of a listing come.
///
/// @param split number of the split in the new plan, 0 to 255
/// @param shard number of its shard; `place` in that shard, from 0
/// @param members as they were planned then
public record ParentRecord(int split, String sampleKey, int shard, int place, List<Input> members) {
    public ParentRecord {
        members = List.copyOf(members);
    }

    public RecordBytes write(RecordBytes to) {
        to.clear().octet(split).sorted(sampleKey).number(shard).number(place);
        return SampleRecord.append(to, members);
    }

    public static ParentRecord read(byte[] bytes, int from, int length) {
        var fields = new RecordFields(bytes, from, length);
        var parent = new ParentRecord(
                fields.octet(),
                fields.sorted(),
                (int) fields.number(),
                (int) fields.number(),
                SampleRecord.members(fields));
        fields.requireEnd();
        return parent;
    }

    /// Whether it comes before (negative), with (zero) or after a sample of the listing.
    public int compareTo(SampleRecord sample) {
        return split == sample.split()
                ? KeyOrder.UTF8.compare(sampleKey, sample.sampleKey())
                : Integer.compare(split, sample.split());
    }
}
